import type { Work } from '../../../ports/provisioner.ts'
import { rests } from './phases.ts'
import type { Seen, SeenHost } from './seen.ts'

/** What the engine is asked for in the host's phase; undefined where nothing is, and nothing is read either. */
export function workOf(host: SeenHost, credentials: Seen['credentials']): Work | undefined {
  const { phase } = host.standing
  if (host.paused || !host.hasBmc || credentials.is !== 'there') return undefined
  if (host.detached && rests(phase)) return undefined
  if (needsRegistration(host, credentials)) return 'register'
  switch (phase) {
    case 'registering':
      return 'register'
    case 'inspecting':
      return 'inspect'
    case 'preparing':
      return 'prepare'
    case 'provisioning':
      return 'deploy'
    case 'deprovisioning':
      return 'clean'
    case 'available':
    case 'provisioned':
    case 'externally provisioned':
      return wantsOn(host) ? 'powerOn' : 'powerOff'
    case 'powering off before delete':
      return 'letGo'
    default:
      return undefined
  }
}

/** Credentials that were never tried, or have changed since, come before everything else. */
export const needsRegistration = (host: SeenHost, credentials: Seen['credentials']): boolean =>
  credentials.is === 'there' &&
  host.goodCredentials !== credentials.version &&
  !['none', 'unmanaged', 'deleting'].includes(host.standing.phase ?? '')

/** A restart that was asked for is a wish to be off until it is seen off; in available only one by force counts. */
export const wantsOn = ({ online, reboot, standing }: SeenHost): boolean =>
  online && (reboot === undefined || (standing.phase === 'available' && !reboot.force))
