import { expect, it } from 'vitest'
import { told } from './told.ts'

it('ZT-001 rackwright demo zero-touch tells its whole story and leaves when it is told', { timeout: 300_000 }, async () => {
  const out = await told('zero-touch', '--speed', '60')
  for (const said of [
    '✓ its image has settled and is ready',
    '✓ it booted the disc, and told what it is made of',
    '✓ the assisted agent has called, and waits for a person',
    'SriovGlobalEnable is Enabled, RAID volumes: 1.',
    '✓ it is provisioned, and runs from its disk',
    '✓ its image is gone',
    'Discs in its drives: 0. On its disk: assisted.',
    '✓ its disk was emptied',
    '✓ it booted its disc anew, and waits for the next person',
  ])
    expect(out).toContain(said)
})
