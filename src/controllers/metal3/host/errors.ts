import type { hostErrors } from '../../../api/metal3/host-status.ts'
import { minutes } from '../../../core/duration.ts'
import { idle, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { backoffAfter } from '../../../policy/metal3/backoff.ts'
import type { Work } from '../../../ports/provisioner.ts'
import type { Seen, SeenHost, Verb } from './seen.ts'

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

/** While a failure is fresh, nothing is tried again. */
export function resting({ host }: Seen): Plan<Verb> | undefined {
  const { error } = host
  if (!error) return undefined
  const left = backoffAfter(error.count) - error.restsFor
  return left > 0 ? wait(`rests ${Math.ceil(left / minutes(1))} minutes after failure ${error.count}: ${error.message}`, left) : undefined
}

/** Tells a failure, counts it, and rests. One that nobody can mend by trying is told once. */
export function tell(host: SeenHost, type: ErrorType, because: string, retryable: boolean): Plan<Verb> {
  if (!retryable && host.error?.type === type && host.error.message === because) return idle(because)
  const count = host.errorCount + 1
  return wait(because, retryable ? backoffAfter(count) : minutes(60), {
    status: { operationalStatus: 'error', errorType: type, errorMessage: because, errorCount: count },
    events: [{ type: 'Warning', reason: reasonOf(type), message: because }],
  })
}

/** What takes a failure back once there is progress; the count stays until something has succeeded. */
export const mended = ({ error, operational }: SeenHost): StatusPatch =>
  error || operational !== 'OK' ? { operationalStatus: 'OK', errorType: null, errorMessage: '' } : {}

export const succeeded = (host: SeenHost): StatusPatch => ({ ...mended(host), ...(host.errorCount === 0 ? {} : { errorCount: 0 }) })

const reasonOf = (type: ErrorType): string =>
  type
    .split(' ')
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')
