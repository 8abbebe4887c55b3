import { describe, expect, it } from 'vitest'
import { inVirtualTime } from '../virtual.ts'
import { assistedStories, waitsForPerson } from './stories.ts'

describe('hosts of InfraEnvs in virtual time, with every invariant held', () => {
  for (const story of assistedStories) it(`ZT-057 ${story.name}`, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
  it(`T-70 ZT-045 ${waitsForPerson.name}, and nobody touches it meanwhile`, async () =>
    expect((await inVirtualTime(waitsForPerson)).violations).toEqual([]))
})
