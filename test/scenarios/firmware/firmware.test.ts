import { describe, expect, it } from 'vitest'
import { inVirtualTime } from '../virtual.ts'
import { inMaintenance } from './in-maintenance.ts'
import { stopsRollout } from './rollout.ts'
import { firmwareStories } from './stories.ts'

describe('in virtual time, with every invariant held', () => {
  for (const story of firmwareStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
  it(inMaintenance.name, async () => expect((await inVirtualTime(inMaintenance)).violations).toEqual([]))
  it(stopsRollout.name, async () => expect((await inVirtualTime(stopsRollout)).violations).toEqual([]))
})
