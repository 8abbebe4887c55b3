import { choice, entry, paths, toggle, usualTimes, valuesOf, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('SETUP001', 'UEFI', 'Legacy'),
  toggle('PCIS007', 'Enabled'),
  toggle('NWSK001', 'Enabled'),
  toggle('NWSK006', 'Enabled'),
  choice('CRCS005', 'Enable', 'Disable'),
  words('FBO_NAME', '', 32),
] as const

/** MegaRAC as on DGX and Gigabyte boards: boot settings only in the SD object, with If-Match and all three fields. */
export const ami: Personality = {
  name: 'ami',
  vendor: 'AMI',
  product: 'AMI Redfish Server',
  redfishVersion: '1.11.0',
  manufacturer: 'GIGABYTE',
  model: 'R282-Z93',
  managerModel: 'MegaRAC SP-X',
  ids: { system: 'Self', manager: 'Self', chassis: 'Self' },
  machine: {
    times: usualTimes,
    bootEntries: [
      entry('Boot0001', 'UEFI OS (NVMe 0)', 'Hdd', paths.disk),
      entry('Boot0002', 'UEFI: PXE IPv4 NIC 1', 'Pxe', paths.pxe),
      entry('Boot0003', 'UEFI: HTTP IPv4 NIC 1', 'UefiHttp', paths.http),
      entry('Boot0004', 'UEFI: AMI Virtual CDROM0', 'Cd', paths.cd),
      entry('Boot0005', 'UEFI: Built-in EFI Shell', 'UefiShell', paths.shell),
    ],
    bootOrder: ['Boot0001', 'Boot0004', 'Boot0005'],
    bios: valuesOf(bios),
    firmware: [
      { id: 'BMCImage1', name: 'BMC Image 1', version: '13.6.3', kind: 'BMC' },
      { id: 'BIOS', name: 'BIOS', version: 'R23_F01', kind: 'BIOS' },
    ],
  },
  power: {
    resetTypes: ['On', 'ForceOff', 'GracefulShutdown', 'ForceRestart', 'GracefulRestart', 'PowerCycle'],
    listed: 'action-info',
    already: 204,
    managerResets: ['ForceRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'Cd', 'Usb', 'Hdd', 'BiosSetup', 'UefiShell', 'UefiHttp', 'UefiTarget'],
    lasts: ['Disabled', 'Once', 'Continuous'],
    listsLasts: true,
    httpBootUri: true,
    mode: null,
    settings: { name: 'SD', takes: 'both', listsTargets: true },
    orderWritable: true,
    needs: ['BootSourceOverrideEnabled', 'BootSourceOverrideTarget', 'BootSourceOverrideMode'],
  },
  bios: {
    entries: bios,
    settings: 'SD',
    shows: 'all',
    applyTimes: ['OnReset'],
    registry: 'BiosAttributeRegistry0.5.0',
    registryFile: 'BiosAttributeRegistry0.5.0',
    registryUri: '/redfish/v1/Registries/BiosAttributeRegistry0.5.0.json',
    language: 'en-US',
    resetRequired: true,
  },
  media: {
    under: ['Managers'],
    slots: [
      { id: 'CD1', name: 'CD', types: ['CD', 'DVD'], insert: 'action' },
      { id: 'HD1', name: 'HD', types: ['USBStick'], insert: 'action' },
    ],
    needs: ['TransferProtocolType', 'UserName', 'Password'],
    schemes: ['http', 'https', 'nfs', 'cifs'],
  },
  update: {
    // Without the dotted name, as recorded on a DGX.
    simpleUpdate: '/redfish/v1/UpdateService/Actions/SimpleUpdate',
    multipart: '/redfish/v1/UpdateService/upload',
    names: 'location',
    monitorOf: id => `/redfish/v1/TaskService/TaskMonitors/${id}`,
  },
  protocol: {
    expandLevels: 2,
    pageSize: 75,
    etag: 'strong',
    ifMatch: 'required',
    ifMatchOnActions: 'ignored',
    sessionLimit: 16,
    sessionSeconds: 30,
    lockout: { failures: 5, seconds: 300 },
    loginsPerMinute: 4,
  },
}
