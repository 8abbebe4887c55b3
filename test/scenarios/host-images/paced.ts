import { hosts, images, secrets } from '../../../src/controllers/metal3/resources.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedImages: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [images, hosts, secrets],
  ours: finalizer => finalizer === 'preprovisioningimage.metal3.io',
  wall: wallClock.now,
}
