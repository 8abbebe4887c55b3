import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secrets } from '../../src/controllers/metal3/resources.ts'
import { runPaced } from '../../src/sim/paced/run.ts'
import { pacedAssisted } from '../scenarios/assisted/paced.ts'
import { installedByAssisted, linkedGoes } from '../scenarios/assisted/stories.ts'
import { inVirtualTime } from '../scenarios/virtual.ts'
import { openRealCluster, type RealCluster } from './real-api.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('stories of hosts of InfraEnvs on a real control plane, with time that waits', () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await openRealCluster(bin ?? '', [{ of: secrets, namespace: 'default' }])
  })
  afterAll(() => cluster?.close())

  for (const story of [installedByAssisted, linkedGoes])
    it(`ZT-001 ZT-029 ZT-031 ${story.name}`, async () => {
      const run = await runPaced(story, { ...pacedAssisted, seed: 'one', plan: [], api: () => cluster.api() })
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await inVirtualTime(story)).end)
    })
})
