import { openshiftKinds } from '../../../src/api/kinds.ts'
import { controlPlaneNodes, goldenMaps, secrets } from '../../../src/controllers/boot-images/resources.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { resourceOf } from '../../../src/ports/index.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'
import { leases } from '../valve/invariants.ts'

const { part: _, ...configMaps } = goldenMaps
const { part: __, ...nodes } = controlPlaneNodes

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedBootImages: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [...openshiftKinds.map(resourceOf), configMaps, secrets, nodes, leases],
  ours: () => false,
  wall: wallClock.now,
}
