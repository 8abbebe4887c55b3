import { describe, expect, it } from 'vitest'
import { hostProblems, type RuledHost } from './host-rules.ts'

const host = (more: Partial<RuledHost>): RuledHost => ({
  name: 'worker-0',
  namespace: 'metal3',
  bmcAddress: 'redfish://10.0.0.2',
  online: true,
  neverOff: false,
  external: false,
  state: '',
  annotations: {},
  interfaces: [],
  hasRootDeviceHints: false,
  secrets: [],
  usesFirmwareField: false,
  ...more,
})
const raid = (software: NonNullable<RuledHost['raid']>['software'], hardware: NonNullable<RuledHost['raid']>['hardware'] = []) => ({
  raid: { software, hardware },
})

describe('hostProblems()', () => {
  it('finds nothing wrong with a host as people write it', () => expect(hostProblems(host({}))).toEqual([]))
  it.each<[string, Partial<RuledHost>, string]>([
    ['1', { bmcAddress: 'wsman://10.0.0.2' }, 'scheme wsman'],
    ['2', { usesFirmwareField: true }, 'HostFirmwareSettings'],
    ['3 CVE-2024-43803', { secrets: [{ field: 'userData', namespace: 'kube-system' }] }, 'another namespace'],
    ['4', raid([{ level: '1' }], [{}]), 'only one kind'],
    ['4', raid([], [{ physicalDisks: ['a'] }]), 'must name their controller'],
    ['4', raid([], [{ physicalDisks: ['a'], numberOfPhysicalDisks: 2, controller: 'c' }]), 'says that it has 2'],
    ['4', raid([{ level: '0' }]), 'must be of level 1'],
    [
      '4',
      raid([
        { level: '1', rootVolume: true },
        { level: '1', rootVolume: true },
      ]),
      'more than one',
    ],
    ['4', { ...raid([{ level: '1', rootVolume: true }]), hasRootDeviceHints: true }, 'both say'],
    ['4', raid([{ level: '1' }, { level: '0', rootVolume: true }]), 'rootVolume must be of level 1'],
    ['5', { bmcAddress: 'ipmi://10.0.0.2', ...raid([], [{}]) }, 'cannot be made over ipmi'],
    ['6', { inspectionMode: 'disabled' }, 'bootMACAddress'],
    ['6', { bmcAddress: 'libvirt://10.0.0.2' }, 'bootMACAddress'],
    ['6', { bootMACAddress: '52:54:00:12:34:56:78' }, 'no hardware address'],
    ['7', { bmcAddress: 'ipmi://10.0.0.2', bootMode: 'UEFISecureBoot' }, 'cannot be set over ipmi'],
    ['7', { bootMode: 'UEFISecureBoot' }, 'UEFISecureBoot is not brought about'],
    ['7', { bootMode: 'legacy', state: 'available' }, 'legacy is not brought about'],
    ['8', { name: '6a7d2ee0-2f5c-4d8f-9d27-5a3f7a1d1a11' }, 'UUID'],
    ['9', { bmcAddress: 'redfish://a_b' }, 'names no host'],
    ['10', { rootDeviceName: 'sda' }, '/dev/'],
    ['10', { rootDeviceName: '/dev/disk/by-id/wwn-1' }, '/dev/disk/by-path/'],
    ['11 BMO-3471', { image: { url: 'gopher://a/b', checksum: 'x' } }, 'must begin with'],
    ['11 BMO-3471', { image: { url: 'ftp://a/b', checksum: 'x' } }, 'must begin with'],
    ['11 CVE-2025-44021', { image: { url: 'file:///etc/shadow', checksum: 'x' } }, 'must begin with'],
    ['11', { image: { url: 'https://a/b' } }, 'checksum is missing'],
    ['11', { image: { url: 'https://a/b', format: 'live-iso', checksum: 'x' } }, 'no meaning'],
    ['11', { image: { url: 'oci://a/b', checksum: 'x' } }, 'no meaning'],
    ['12', { annotations: { 'reboot.metal3.io': 'yes' } }, 'neither empty nor a JSON object'],
    ['12', { annotations: { 'reboot.metal3.io/x': '{"mode":"warm"}' } }, 'neither hard nor soft'],
    ['12', { annotations: { 'reboot.metal3.io': '{"force":"yes"}' } }, 'neither true nor false'],
    ['12', { annotations: { 'baremetalhost.metal3.io/status': '[]' } }, 'not a JSON object'],
    ['12', { annotations: { 'inspect.metal3.io/hardwaredetails': '{}' } }, 'disable that'],
    [
      '12',
      { annotations: { 'inspect.metal3.io': 'disabled', 'inspect.metal3.io/hardwaredetails': 'x' }, bootMACAddress: 'a' },
      'not a JSON object',
    ],
    ['12', { annotations: { 'inspect.metal3.io': 'now' } }, 'neither empty nor disabled'],
    ['13', { inspectionMode: 'fast', annotations: { 'inspect.metal3.io': 'disabled' } }, 'inspectionMode says fast'],
    ['13', { bmcAddress: 'ipmi://10.0.0.2', inspectionMode: 'fast' }, 'which ipmi does not'],
    ['14', { neverOff: true, online: false }, 'contradict'],
    ['15', { interfaces: [{ name: 'eth0', macAddress: 'a' }] }, 'and not both'],
    ['15', { interfaces: [{ macAddress: 'AA' }, { macAddress: 'aa' }] }, 'the same'],
    ['17', { registeredMAC: '52:54:00:12:34:56', bootMACAddress: '52:54:00:12:34:57' }, 'cannot be changed'],
    ['17', { registeredMAC: '52:54:00:12:34:56' }, 'cannot be changed'],
    ...['inspecting', 'preparing', 'provisioning', 'provisioned', 'deprovisioning'].map((state): [string, Partial<RuledHost>, string] => [
      '18',
      { external: true, state },
      `this one is ${state}`,
    ]),
  ])('rule %s: %j', (_, more, says) => expect(hostProblems(host(more)).join()).toContain(says))
  it.each<[string, Partial<RuledHost>]>([
    ['7', { bootMode: 'UEFI' }],
    ['7', { bootMode: 'legacy', external: true }],
    ['7 a host that was adopted with it', { bootMode: 'UEFISecureBoot', state: 'provisioned' }],
    ['10', { rootDeviceName: '/dev/disk/by-path/pci-0000:00:1f.2-ata-1' }],
    ['10', { rootDeviceName: '/dev/sda' }],
    ['17', { registeredMAC: '52:54:00:AB:34:56', bootMACAddress: '52:54:00:ab:34:56' }],
    ['18', { external: true, state: 'available' }],
    ['18', { external: true, state: 'registering' }],
    ['18', { external: true, state: 'externally provisioned' }],
  ])('rule %s lets pass: %j', (_, more) => expect(hostProblems(host(more))).toEqual([]))
})
