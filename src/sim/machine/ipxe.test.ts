import { describe, expect, it } from 'vitest'
import { readIpxe } from './ipxe.ts'

const settings = { uuid: 'u-1', mac: '02:5c:00:00:00:01', serial: 'SIM1' }
const read = (...lines: readonly string[]) => readIpxe(['#!ipxe', ...lines].join('\n'), settings)

describe('readIpxe()', () => {
  it('finds kernel, command line and initrds', () => {
    expect(read('kernel http://b/vmlinuz initrd=initrd console=ttyS0', 'initrd --name initrd http://b/initrd', 'boot')).toEqual({
      kernel: 'http://b/vmlinuz',
      commandLine: 'initrd=initrd console=ttyS0',
      initrds: ['http://b/initrd'],
    })
  })

  it('fills in what iPXE knows and what the script set', () => {
    expect(read('set base http://b/x', `chain --autofree \${base}/\${uuid}/\${net0/mac:hexhyp}`)).toEqual({
      chain: 'http://b/x/u-1/02-5c-00-00-00-01',
    })
  })

  it.each([
    ['exit', { stop: 'exit' }],
    ['shell', { stop: 'shell' }],
    ['echo nothing to do', { stop: 'exit' }],
    ['boot', { stop: 'exit' }],
    ['chain http://b/next || shell', { chain: 'http://b/next' }],
  ])('takes "%s" as what it is', (line, end) => {
    expect(read(line)).toEqual(end)
  })
})
