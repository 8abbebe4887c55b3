import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bootWorld, content } from './world.ts'

const guide = readFileSync(new URL('../../docs/guides/boot-server.md', import.meta.url), 'utf8')
const sectionOf = (title: string): string => guide.split(/^## /m).find(part => part.startsWith(title)) ?? ''

describe('X-014 the DHCP examples of the guide', () => {
  it('dnsmasq: tell iPXE by option 175, firmware by its architecture, and HTTP boot by its class, which is said back in option 60', () => {
    const text = sectionOf('dnsmasq')
    for (const line of [
      'dhcp-match=set:ipxe,175',
      'option:client-arch,7',
      'option:client-arch,11',
      'dhcp-option-force=tag:httpboot,60,HTTPClient',
    ])
      expect(text).toContain(line)
  })
  it('Kea: is JSON, and tells the same apart by options 175, 60 and 93', () => {
    const [, text = ''] = /```json\n(.+?)```/s.exec(sectionOf('Kea')) ?? []
    const { 'client-classes': classes } = (JSON.parse(text) as { Dhcp4: { 'client-classes': readonly { test: string }[] } }).Dhcp4
    expect(classes.map(({ test }) => /option\[(\d+)\]/.exec(test)?.[1])).toEqual(['175', '60', '93'])
  })
  it('ISC dhcpd: has the architecture in option 93, and answers HTTP boot in its own class', () => {
    const [, text = ''] = /```conf\n(.+?)```/s.exec(guide) ?? []
    expect(text).toContain('option arch code 93 = unsigned integer 16;')
    expect(text).toContain('option vendor-class-identifier "HTTPClient";')
  })
  it('name nothing that the boot server does not serve', async () => {
    const world = await bootWorld()
    const paths = new Set([...guide.matchAll(/http:\/\/BOOT:8080(\/[\w./-]+)/g)].map(([, path]) => path ?? ''))
    expect([...paths].toSorted()).toEqual(['/httpboot.efi', '/ipxe'])
    expect((await world.ask('/ipxe')).text).toMatch(/^#!ipxe\n/)
    expect((await world.ask('/httpboot.efi')).bytes.equals(content.uki)).toBe(true)
    await world.end()
  })
})
