import type { Blobs } from '../ports/blobs.ts'
import type { Clock, HttpRequest, Log, Reader } from '../ports/index.ts'
import type { Ages } from './ages.ts'
import type { Attempts } from './attempts.ts'
import type { Coverage } from './coverage.ts'
import type { Evidence } from './evidence.ts'
import type { KernelArgument } from './ipxe.ts'
import type { Discs } from './iso/discs.ts'
import type { Refusals } from './refusals.ts'
import type { Tally } from './tally.ts'

/** What every route of the boot server works with. */
export interface BootContext {
  readonly kube: Reader
  readonly clock: Clock
  readonly log: Log
  readonly blobs: Blobs
  /** Tickets are made and checked with it. */
  readonly key: Uint8Array
  /** Where machines reach this server, without a slash at the end. */
  readonly baseUrl: string
  /** Whether user data is given to a machine that is known only by the window that its power-on opened. */
  readonly allowUserDataByWindow: boolean
  /** What every kernel is told besides what its boot needs. */
  readonly kernelArguments: readonly KernelArgument[]
  readonly attempts: Attempts
  readonly evidence: Evidence
  readonly ages: Ages
  readonly coverage: Coverage
  readonly discs: Discs
  readonly refusals: Refusals
  readonly tally: Tally
}

/** One request, and the address that it came from. */
export interface Call {
  readonly request: HttpRequest
  readonly address: string
}
