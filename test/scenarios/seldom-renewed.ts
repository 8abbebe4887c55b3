import { seconds } from '../../src/core/duration.ts'
import type { LeaseOptions } from '../../src/runtime/controllers.ts'

/**
 * A Lease that lasts four times as long as usual, still less than a process stands still. In stories that are played by the thousand most of
 * the work would be renewals otherwise, and one is like the other; how a Lease of the usual length is fought over the valve's story shows.
 */
export const seldomRenewed = (lease: LeaseOptions): LeaseOptions => ({ ...lease, duration: seconds(48) })
