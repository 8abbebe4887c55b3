import { metal3Kinds } from '../../../src/api/kinds.ts'
import { secrets, servers } from '../../../src/controllers/metal3/resources.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { resourceOf } from '../../../src/ports/index.ts'
import type { PacedRun } from '../../../src/sim/paced/run.ts'

/** What the processes of these stories keep, for a clock that waits for them. */
export const pacedHosts: Pick<PacedRun, 'kinds' | 'ours' | 'wall'> = {
  kinds: [...metal3Kinds.map(resourceOf), secrets, servers],
  ours: finalizer => /^(baremetalhost|dataimage)\.metal3\.io/.test(finalizer),
  wall: wallClock.now,
}
