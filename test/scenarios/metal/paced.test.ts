import { describe, expect, it } from 'vitest'
import { embeddedOverHttps } from '../../../src/sim/paced/embedded.ts'
import { runPaced } from '../../../src/sim/paced/run.ts'
import { inVirtualTime } from '../virtual.ts'
import { pacedMetal } from './paced.ts'
import { claimedOverHttp, maintained, oneBoots } from './stories.ts'

describe('over HTTPS, with time that waits, and every invariant held', () => {
  for (const story of [claimedOverHttp, maintained, oneBoots])
    it(`${story.name}, and ends as in virtual time`, async () => {
      const run = await runPaced(story, { ...pacedMetal, seed: 'one', api: embeddedOverHttps })
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await inVirtualTime(story)).end)
    }, 300_000)
})
