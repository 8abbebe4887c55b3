import type { Work } from '../../../ports/provisioner.ts'
import type { SeenFirmware } from './firmware.ts'
import { isLeftAlone } from './phases.ts'
import type { Seen, SeenHost } from './seen.ts'
import { isServiced } from './servicing.ts'

/** What the engine is asked for in the host's phase; undefined where nothing is. */
export function workOf(host: SeenHost, credentials: Seen['credentials'], firmware: SeenFirmware): Work | undefined {
  if (host.paused || !host.hasBmc || credentials.is !== 'there' || isLeftAlone(host)) return undefined
  if (needsRegistration(host, credentials)) return 'register'
  switch (host.standing.phase) {
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
      if (isServiced(host, firmware)) return 'service'
      return wantsOn(host) ? 'powerOn' : 'powerOff'
    case 'powering off before delete':
      return 'letGo'
    default:
      return undefined
  }
}

/** Credentials that were never tried, or have changed since, come before everything else; so does a host that only another operator knew. */
export const needsRegistration = (host: SeenHost, credentials: Seen['credentials']): boolean =>
  credentials.is === 'there' &&
  (host.goodCredentials !== credentials.version || host.registeredAt === undefined) &&
  !['none', 'unmanaged', 'deleting'].includes(host.standing.phase ?? '')

/** A restart that was asked for is a wish to be off until it is seen off; in available only one by force counts. */
export const wantsOn = ({ online, reboot, standing }: SeenHost): boolean =>
  online && (reboot === undefined || (standing.phase === 'available' && !reboot.force))

/** It was registered elsewhere. While it registers, its address may be put right; detached, it forgets where it was. */
export const hasMoved = ({ address, registeredAt, standing }: SeenHost): boolean =>
  registeredAt !== undefined && address !== registeredAt && standing.phase !== 'registering'
