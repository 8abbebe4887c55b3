import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { secrets } from '../../src/controllers/metal3/resources.ts'
import { runPaced } from '../../src/sim/paced/run.ts'
import { pacedImages } from '../scenarios/host-images/paced.ts'
import { imageStories } from '../scenarios/host-images/stories.ts'
import { inVirtualTime } from '../scenarios/virtual.ts'
import { openRealCluster, type RealCluster } from './real-api.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('stories of host images on a real control plane, with time that waits', () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await openRealCluster(bin ?? '', [{ of: secrets, namespace: 'default' }])
  })
  afterAll(() => cluster?.close())

  for (const story of imageStories)
    it(`ZT-012 ZT-014 ZT-021 ZT-022 ${story.name}`, async () => {
      const run = await runPaced(story, { ...pacedImages, seed: 'one', plan: [], api: () => cluster.api() })
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await inVirtualTime(story)).end)
    })
})
