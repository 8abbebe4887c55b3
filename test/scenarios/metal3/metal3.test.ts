import { describe, expect, it } from 'vitest'
import { inVirtualTime } from '../virtual.ts'
import { hostStories } from './stories.ts'

describe('hosts in virtual time, with every invariant held', () => {
  for (const story of hostStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
})
