import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secrets } from '../../src/controllers/metal3/resources.ts'
import { runPaced } from '../../src/sim/paced/run.ts'
import { discStories } from '../scenarios/metal3/disc-stories.ts'
import { hostFirmwareStories } from '../scenarios/metal3/firmware-stories.ts'
import { pacedHosts } from '../scenarios/metal3/paced.ts'
import { makesVolumes } from '../scenarios/metal3/raid-stories.ts'
import { hostStories } from '../scenarios/metal3/stories.ts'
import { inVirtualTime } from '../scenarios/virtual.ts'
import { openRealCluster, type RealCluster } from './real-api.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('stories of hosts on a real control plane, with time that waits', () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await openRealCluster(bin ?? '', [{ of: secrets, namespace: 'default' }])
  })
  afterAll(() => cluster?.close())

  for (const story of [...hostStories, ...discStories, makesVolumes, ...hostFirmwareStories])
    it(`I2 I9 I15 ${story.name}`, async () => {
      const run = await runPaced(story as (typeof hostStories)[number], { ...pacedHosts, seed: 'one', plan: [], api: () => cluster.api() })
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await inVirtualTime(story as (typeof hostStories)[number])).end)
    })
})
