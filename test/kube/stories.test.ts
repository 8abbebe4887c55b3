import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goldenKey, goldenMaps, secrets } from '../../src/controllers/boot-images/resources.ts'
import { parsePlan } from '../../src/sim/faults/fault.ts'
import { type PacedRun, runPaced } from '../../src/sim/paced/run.ts'
import type { Run } from '../../src/sim/run.ts'
import type { Story } from '../../src/sim/story.ts'
import { pacedBootImages } from '../scenarios/boot-images/paced.ts'
import { follows, oneKeeps } from '../scenarios/boot-images/stories.ts'
import { leases } from '../scenarios/metal/invariants.ts'
import { pacedMetal } from '../scenarios/metal/paced.ts'
import { metalStories } from '../scenarios/metal/stories.ts'
import { pacedValves } from '../scenarios/valve/paced.ts'
import { opens, valveStories } from '../scenarios/valve/stories.ts'
import { inVirtualTime } from '../scenarios/virtual.ts'
import { openRealCluster, type RealCluster } from './real-api.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('stories on a real control plane, with time that waits', () => {
  let cluster: RealCluster
  const { part: _, ...configMaps } = goldenMaps
  beforeAll(async () => {
    cluster = await openRealCluster(bin ?? '', [
      { of: leases, namespace: 'rackwright-system' },
      { of: configMaps, namespace: goldenKey.namespace },
      { of: secrets, namespace: 'default' },
    ])
  })
  afterAll(() => cluster?.close())

  const onReal = <D, M extends object>(story: Story<D, M>, paced: Omit<PacedRun, 'seed' | 'api'>, plan = 'none'): Promise<Run> =>
    runPaced(story, { ...paced, seed: 'one', plan: parsePlan(plan)!, api: () => cluster.api() })
  const endsAsInVirtualTime = async <D, M extends object>(story: Story<D, M>, run: Run): Promise<void> => {
    expect(run.violations).toEqual([])
    expect(run.end).toBe((await inVirtualTime(story)).end)
  }

  for (const story of valveStories) it(story.name, async () => endsAsInVirtualTime(story, await onReal(story, pacedValves)))
  it.each(['crash before', 'crash after', 'late'])(`${opens.name}, and its first turn goes wrong: %s`, async mode =>
    endsAsInVirtualTime(opens, await onReal(opens, pacedValves, `a: motor.turn#1 = ${mode}`)),
  )
  for (const story of metalStories) it(story.name, async () => endsAsInVirtualTime(story, await onReal(story, pacedMetal)))
  for (const story of [follows, oneKeeps])
    it(`BI-058 BI-062 ${story.name}`, async () => endsAsInVirtualTime(story, await onReal(story, pacedBootImages)))
})
