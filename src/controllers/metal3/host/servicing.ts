import type { SeenFirmware } from './firmware.ts'
import type { SeenHost } from './seen.ts'

/** So often an installed host is tried to be serviced while it is off; then it starts as it is, until its next restart. */
const servicingLimit = 3

/**
 * Whether the firmware of an installed host is worked on now: from when it is off and about to be switched on, until that has ended. One that
 * runs is not taken down for it; a failure leaves it running, and is tried again at the next restart that somebody asks for.
 */
export function isServiced(host: SeenHost, { dueAtRestart, uncheckedAtRestart }: SeenFirmware): boolean {
  if (!isInstalled(host)) return false
  if (host.operational === 'servicing') return true
  // Nobody wants it any more, or it failed: what is pending is taken back.
  const left = (host.memory?.asked?.length ?? 0) > 0 && !dueAtRestart
  if (left) return true
  return (dueAtRestart || uncheckedAtRestart) && startsNext(host) && failures(host) < servicingLimit
}

export const isInstalled = ({ standing }: SeenHost): boolean => ['provisioned', 'externally provisioned'].includes(standing.phase ?? '')

const failures = ({ error, errorCount }: SeenHost): number => (error?.type === 'servicing error' ? errorCount : 0)

/** It is off and shall be on, or is never off and shall be restarted. */
export const startsNext = ({ online, reboot, neverOff, poweredOn }: SeenHost): boolean =>
  online && (neverOff ? reboot !== undefined && !reboot.held : !poweredOn && reboot === undefined)
