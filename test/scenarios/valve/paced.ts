import { valves } from '../../../examples/controller/valve.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'
import { leases } from './invariants.ts'

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedValves: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [valves, leases],
  ours: finalizer => finalizer.startsWith('example.rackwright.dev/'),
  wall: wallClock.now,
}
