import { expect, it } from 'vitest'
import { inVirtualTime } from '../virtual.ts'
import { follows, oneKeeps } from './stories.ts'

for (const story of [follows, oneKeeps])
  it(`BI-058 BI-062 ${story.name}, in virtual time`, async () => {
    const run = await inVirtualTime(story)
    expect(run.violations).toEqual([])
    expect(run.end).toContain('projects/rhcos-cloud/global/images/third')
    expect(run.end, 'the clone in between is collected').not.toContain('images/second')
  })
