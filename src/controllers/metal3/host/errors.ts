import type { hostErrors } from '../../../api/metal3/host-status.ts'
import { type Millis, minutes } from '../../../core/duration.ts'
import { idle, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { backoffAfter } from '../../../policy/metal3/backoff.ts'
import type { Work } from '../../../ports/provisioner.ts'
import type { Seen, SeenCredentials, SeenHost, Verb } from './seen.ts'

type ErrorType = (typeof hostErrors)[number]

/** Which of Metal3's errors a failure of this work is. */
export function errorTypeOf(work: Work, { installed, standing }: SeenHost): ErrorType {
  switch (work) {
    case 'register':
      return installed === undefined && standing.phase !== 'externally provisioned'
        ? 'registration error'
        : 'provisioned registration error'
    case 'inspect':
      return 'inspection error'
    case 'prepare':
      return 'preparation error'
    case 'service':
      return 'servicing error'
    case 'deploy':
    case 'clean':
      return 'provisioning error'
    case 'powerOn':
    case 'powerOff':
    case 'letGo':
      return 'power management error'
    default:
      return work satisfies never
  }
}

/** How long nothing is tried yet after a failure. Another wish or other credentials are tried at once. */
export function restOf(host: SeenHost, credentials: SeenCredentials, work: Work | undefined, wish: string): Millis {
  const { error, edited, triedCredentials, memory } = host
  // What failed was about other wishes for its firmware, or keeps only that from being tried again. A login that is refused waits all the same.
  const concerned = work === 'prepare' || work === 'service'
  if (concerned && memory?.wish !== undefined && memory.wish !== wish) return 0
  if (error?.type === 'servicing error' && work !== 'service') return 0
  if (!error || edited || (credentials.is === 'there' && credentials.version !== triedCredentials)) return 0
  return Math.max(0, backoffAfter(error.count) - error.restsFor)
}

/** Secrets are looked at by name, and nobody tells of their changes. */
const glance = minutes(1)

/** While a failure is fresh, nothing is tried again. */
export function resting({ host, rest }: Seen): Plan<Verb> | undefined {
  const { error } = host
  if (!error || rest === 0) return undefined
  return wait(`rests ${Math.ceil(rest / minutes(1))} minutes after failure ${error.count}: ${error.message}`, Math.min(rest, glance))
}

/** Tells a failure, counts it, and rests. One that nobody can mend by trying is told once; a deletion goes on counting, so that it ends. */
export function tell(host: SeenHost, type: ErrorType, because: string, retryable: boolean, more: StatusPatch = {}): Plan<Verb> {
  if (!retryable && !host.edited && !host.deleting && host.error?.type === type && host.error.message === because) return idle(because)
  const count = host.errorCount + 1
  return wait(because, Math.min(backoffAfter(count), glance), {
    status: { operationalStatus: 'error', errorType: type, errorMessage: because, errorCount: count, ...more },
    events: [{ type: 'Warning', reason: reasonOf(type), message: because }],
  })
}

/** A failure to change the firmware of an installed host stays told while it runs: until the next restart, or another wish. */
const staysTold = ({ host, work, firmware }: Told): boolean =>
  host.error?.type === 'servicing error' && work === 'powerOn' && firmware.dueAtRestart

type Told = Pick<Seen, 'host' | 'work' | 'firmware'>

/** What takes a failure back once there is progress; the count stays until something has succeeded. */
export function mended(seen: Told): StatusPatch {
  const { error, operational } = seen.host
  const is = seen.work === 'service' ? 'servicing' : 'OK'
  return staysTold(seen) || (!error && operational === is) ? {} : { operationalStatus: is, errorType: null, errorMessage: '' }
}

/** Something has succeeded: it is well, and failures count anew. */
export function succeeded(seen: Told): StatusPatch {
  if (staysTold(seen)) return {}
  return { ...mended({ ...seen, work: undefined }), ...(seen.host.errorCount === 0 ? {} : { errorCount: 0 }) }
}

const reasonOf = (type: ErrorType): string =>
  type
    .split(' ')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')
