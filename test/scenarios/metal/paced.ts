import { bmcs, claims, configurations, endpoints, maintenances, readinessRules, servers } from '../../../src/controllers/metal/resources.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'
import { leases } from './invariants.ts'

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedMetal: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [bmcs, servers, claims, configurations, maintenances, readinessRules, endpoints, leases],
  ours: finalizer => finalizer.startsWith('metal.ironcore.dev/'),
  wall: wallClock.now,
}
