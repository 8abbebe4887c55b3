import { describe, expect, it } from 'vitest'
import { readBmcAddress } from './bmc-address.ts'

describe('readBmcAddress()', () => {
  it.each([
    ['redfish://10.0.0.2/redfish/v1/Systems/1', { url: 'https://10.0.0.2', system: '/redfish/v1/Systems/1', boots: 'Pxe', direct: true }],
    ['redfish+http://10.0.0.2:8000/redfish/v1/Systems/a', { url: 'http://10.0.0.2:8000', system: '/redfish/v1/Systems/a' }],
    ['redfish-virtualmedia+https://[fd00::2]/redfish/v1', { url: 'https://[fd00::2]', boots: 'VirtualMedia' }],
    ['idrac-virtualmedia://bmc.example.com/', { scheme: 'idrac-virtualmedia', hostname: 'bmc.example.com', boots: 'VirtualMedia' }],
    ['redfish-uefihttp:bmc-1', { url: 'https://bmc-1', boots: 'Http' }],
    ['ipmi://10.0.0.2:6230', { scheme: 'ipmi', direct: false }],
    ['10.0.0.2', { scheme: 'ipmi', direct: false }],
    ['10.0.0.2:623', { scheme: 'ipmi', direct: false }],
    ['libvirt://10.0.0.2:6230/', { scheme: 'libvirt', direct: false }],
  ])('reads %s', (text, expected) => {
    expect(readBmcAddress(text)).toMatchObject(expected)
  })
  it('names no System where the address ends at the service root', () => {
    expect(readBmcAddress('redfish://a/redfish/v1/')).not.toHaveProperty('system')
  })
  it.each([
    ['wsman://10.0.0.2', 'scheme wsman'],
    ['redfish://', 'names no host'],
    ['redfish://a_b/', 'names no host'],
    ['redfish://10.0.0.2:99999/', 'names no host'],
    ['redfish://root:calvin@10.0.0.2/', 'belong into the Secret'],
  ])('refuses %s', (text, because) => {
    const read = readBmcAddress(text)
    expect(read).toMatchObject({ because: expect.stringContaining(because) })
    expect(JSON.stringify(read)).not.toContain('calvin')
  })
})
