import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'

const main = new URL('../../src/main.ts', import.meta.url).pathname

it('rackwright demo tells its whole story and leaves when it is told', { timeout: 300_000 }, async () => {
  const child = spawn(process.execPath, [main, 'demo', '--speed', '40'], {
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
    '✓ the installed system has reported from its disk',
    'BootOverrideHonoured UefiHttp shall be armed, Pxe (Once) was read back',
    'it needs uki; found kernel, initramfs',
    'Boot configurations made for it: 0. Servers bound to it: 0.',
    'Try: rackwright resume server-1-system-0',
    '✓ it boots from its disk; nothing was installed',
  ])
    expect(out).toContain(said)
})
