import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MemoryDisk } from '../../../src/apiserver/store/memory.ts'
import type { PlannedFault } from '../../../src/sim/faults/fault.ts'
import { openGuard } from '../../../src/sim/guard.ts'
import { prepare, type Run, runStory } from '../../../src/sim/run.ts'
import { blows, installs, struckAt, wrongs } from './struck.ts'

/** At every call on a real control plane: test/kube/struck.test.ts. Here at what changes hardware. */
describe(`${installs.name}, in virtual time`, () => {
  const guard = openGuard()
  let disk: MemoryDisk
  let calm: Run
  const play = (plan: readonly PlannedFault[]): Promise<Run> => runStory(installs, { seed: 'one', guard, disk, plan })
  beforeAll(async () => {
    disk = await prepare(installs as never, guard)
    calm = await play([])
  })
  afterAll(() => guard.close())

  for (const blow of blows)
    it(`I16 I18 it is ${blow} at every command: nothing is doubled or lost, and the other takes over within 15 s`, async () => {
      const plans = struckAt(calm, blow).filter(({ call }) => /^bmc\.(set|once)/.test(call))
      expect(plans).toHaveLength(3)
      for (const fault of plans) expect(wrongs(await play([fault]), [fault], calm)).toEqual([])
    })
})
