import { assistedKinds, metal3Kinds } from '../../../src/api/kinds.ts'
import { clusterOperators } from '../../../src/controllers/assisted/resources.ts'
import { secrets, servers } from '../../../src/controllers/metal3/resources.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { resourceOf } from '../../../src/ports/index.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedAssisted: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [...[...metal3Kinds, ...assistedKinds].map(resourceOf), secrets, servers, clusterOperators],
  ours: finalizer => /^(baremetalhost\.metal3\.io|preprovisioningimage\.metal3\.io|metal\.rackwright\.dev\/discovery)/.test(finalizer),
  wall: wallClock.now,
}
