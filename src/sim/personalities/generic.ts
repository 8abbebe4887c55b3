import { resetTypes } from '../machine/power.ts'
import { choice, entry, paths, toggle, usualTimes, valuesOf, whole, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('BootMode', 'Uefi', 'LegacyBios'),
  toggle('ProcHyperthreading', 'Enabled'),
  toggle('ProcVirtualization', 'Enabled'),
  toggle('Sriov', 'Disabled'),
  choice('PowerProfile', 'Balanced', 'Performance', 'Efficiency'),
  whole('BootDelaySeconds', 5, 0, 60),
  { name: 'QuietBoot', type: 'Boolean', value: true },
  words('AssetTag', '', 64),
  { name: 'SystemSerial', type: 'String', value: 'set by the factory', readOnly: true },
] as const

/** A server that does everything by the book: nothing to work around. */
export const generic: Personality = {
  name: 'generic',
  vendor: 'Rackwright',
  product: 'Simulated BMC',
  redfishVersion: '1.17.0',
  manufacturer: 'Rackwright',
  model: 'Sim R1',
  managerModel: 'Simulated BMC',
  ids: { system: '1', manager: 'BMC', chassis: '1' },
  machine: {
    times: usualTimes,
    bootEntries: [
      entry('Boot0000', 'UEFI Shell', 'UefiShell', paths.shell),
      entry('Boot0001', 'NVMe Disk 0', 'Hdd', paths.disk),
      entry('Boot0002', 'PXEv4 NIC 1', 'Pxe', paths.pxe),
      entry('Boot0003', 'HTTPv4 NIC 1', 'UefiHttp', paths.http),
      entry('Boot0004', 'Virtual CD', 'Cd', paths.cd),
    ],
    bootOrder: ['Boot0001', 'Boot0004', 'Boot0000'],
    bios: valuesOf(bios),
    firmware: [
      { id: 'BIOS', name: 'System BIOS', version: '1.0.0', kind: 'BIOS' },
      { id: 'BMC', name: 'BMC Firmware', version: '1.0.0', kind: 'BMC' },
      { id: 'NIC.1', name: 'Network adapter', version: '20.1.0', kind: 'NIC' },
    ],
  },
  power: {
    resetTypes,
    listed: 'inline',
    already: 204,
    managerResets: ['GracefulRestart', 'ForceRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'UefiHttp', 'Hdd', 'Cd', 'UefiShell', 'BiosSetup', 'UefiTarget'],
    lasts: ['Disabled', 'Once', 'Continuous'],
    listsLasts: true,
    httpBootUri: true,
    bootNext: true,
    mode: 'UEFI',
    orderWritable: true,
  },
  bios: {
    entries: bios,
    settings: 'Settings',
    shows: 'pending',
    applyTimes: ['OnReset'],
    registry: 'BiosAttributeRegistry.1.0.0',
    registryFile: 'BiosAttributeRegistry.1.0.0',
    registryUri: '/redfish/v1/Registries/BiosAttributeRegistry.1.0.0/BiosAttributeRegistry.1.0.0',
    language: 'en',
    resetRequired: true,
  },
  media: {
    under: ['Systems', 'Managers'],
    slots: [
      { id: 'Cd', name: 'Virtual CD', types: ['CD', 'DVD'], insert: 'action' },
      { id: 'Usb', name: 'Virtual USB', types: ['USBStick', 'Floppy'], insert: 'action' },
    ],
    schemes: ['http', 'https', 'nfs', 'cifs', 'smb'],
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    multipart: '/redfish/v1/UpdateService/upload',
    applyTimes: ['Immediate', 'OnReset'],
    names: 'location',
    monitorOf: id => `/redfish/v1/TaskService/TaskMonitors/${id}`,
  },
  protocol: {
    expandLevels: 3,
    select: true,
    only: true,
    etag: 'strong',
    ifMatch: 'checked',
    ifMatchOnActions: 'ignored',
    sessionLimit: 16,
    sessionSeconds: 1800,
    lockout: { failures: 5, seconds: 300 },
  },
}
