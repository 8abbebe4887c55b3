import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'

const main = new URL('../../src/main.ts', import.meta.url).pathname

it('ZT-001 rackwright demo zero-touch tells its whole story and leaves when it is told', { timeout: 300_000 }, async () => {
  const child = spawn(process.execPath, [main, 'demo', 'zero-touch', '--speed', '60'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      out += String(chunk)
    })
  expect({ code: await new Promise(resolve => child.once('close', resolve)), out }).toMatchObject({ code: 0 })
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
