import { expect, it } from 'vitest'
import { readFirmwareImage } from './firmware-image.ts'
import { readProgram } from './program.ts'

it('readProgram() finds what an image does among other bytes, and what the installed system does after "disk"', () => {
  const image = Buffer.from(
    'MZ\0\0\nnoise sim: fetch http://b/ignition\nsim: install flatcar\nsim: reboot\nsim: disk\nsim: post http://b/up {"a": 1}\n',
  )
  expect(readProgram(image)).toEqual([
    { do: 'fetch', url: 'http://b/ignition' },
    { do: 'install', os: 'flatcar', then: [{ do: 'post', url: 'http://b/up', body: '{"a": 1}' }] },
    { do: 'reboot' },
  ])
})

it('readProgram() tells the boots of an installation in stages apart', () => {
  const image = Buffer.from('sim: install a\nsim: reboot\nsim: disk\nsim: reboot\nsim: disk\nsim: wait 1\nsim: reboot\nsim: disk\n')
  expect(readProgram(image)[0]).toEqual({
    do: 'install',
    os: 'a',
    then: [{ do: 'reboot' }],
    later: [[{ do: 'wait', ms: 1_000 }, { do: 'reboot' }], []],
  })
})

it('readProgram() takes an image without such lines, and lines that it does not know, for one that just runs', () => {
  expect(readProgram(Buffer.from('a kernel\nsim: dance\n'))).toEqual([])
})

it.each([
  ['http://f/BIOS-2.4.1.bin', undefined, { part: 'BIOS', version: '2.4.1' }],
  ['http://f/bmc_v7.20.tar?x=1', undefined, { part: 'bmc', version: '7.20' }],
  ['http://f/2.0.0.bin', undefined, { version: '2.0.0' }],
  ['http://f/whatever.bin', 'sim-firmware: NIC 22.1', { part: 'NIC', version: '22.1' }],
  ['http://f/whatever.bin', undefined, undefined],
])('readFirmwareImage() reads %s (%s)', (name, text, found) => {
  expect(readFirmwareImage(name, text === undefined ? undefined : Buffer.from(text))).toEqual(found)
})
