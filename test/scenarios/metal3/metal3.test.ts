import { describe, expect, it } from 'vitest'
import { inVirtualTime } from '../virtual.ts'
import { discStories } from './disc-stories.ts'
import { hostFirmwareStories } from './firmware-stories.ts'
import { makesVolumes } from './raid-stories.ts'
import { hostStories } from './stories.ts'

describe('hosts in virtual time, with every invariant held', () => {
  for (const story of hostStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
  it(makesVolumes.name, async () => expect((await inVirtualTime(makesVolumes)).violations).toEqual([]))
  for (const story of discStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
  for (const story of hostFirmwareStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
})
