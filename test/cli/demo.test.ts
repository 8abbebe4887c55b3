import { expect, it } from 'vitest'
import { told } from './told.ts'

it('rackwright demo tells its whole story and leaves when it is told', { timeout: 300_000 }, async () => {
  const out = await told('--speed', '40')
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
