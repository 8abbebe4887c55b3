import { choice, entry, paths, toggle, usualTimes, valuesOf, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('BootModes_SystemBootMode', 'UEFIMode', 'LegacyMode'),
  choice('OperatingModes_ChooseOperatingMode', 'MaximumEfficiency', 'MaximumPerformance', 'CustomMode'),
  choice('Processors_HyperThreading', 'Enable', 'Disable'),
  choice('Processors_IntelVirtualizationTechnology', 'Enable', 'Disable'),
  choice('DevicesandIOPorts_SRIOV', 'Enable', 'Disable'),
  choice('NetworkStackSettings_IPv4HTTPSupport', 'Disable', 'Enable'),
  words('BootModes_AssetTag', '', 32),
  toggle('Memory_PatrolScrub', 'Enabled'),
] as const

/** ThinkSystem with XCC: media by PATCH, overrides only for one boot, no HTTP boot, updates that become jobs. */
export const lenovo: Personality = {
  name: 'lenovo',
  vendor: 'Lenovo',
  product: 'ThinkSystem SR650 V2',
  redfishVersion: '1.15.0',
  manufacturer: 'Lenovo',
  model: 'ThinkSystem SR650 V2',
  managerModel: 'Lenovo XClarity Controller',
  ids: { system: '1', manager: '1', chassis: '1' },
  machine: {
    times: usualTimes,
    bootEntries: [
      entry('Boot0001', 'Hard Disk', 'Hdd', paths.disk),
      entry('Boot0002', 'CD/DVD Rom', 'Cd', paths.cd),
      entry('Boot0003', 'Network', 'Pxe', paths.pxe),
    ],
    bootOrder: ['Boot0002', 'Boot0001', 'Boot0003'],
    bios: valuesOf(bios),
    firmware: [
      { id: 'BMC-Primary', name: 'BMC (Primary)', version: '2.83-DVI3B4A', kind: 'BMC' },
      { id: 'UEFI', name: 'UEFI', version: '1.40-AFE126E', kind: 'BIOS' },
      { id: 'Ob_1', name: 'Network adapter', version: '22.31.1014', kind: 'NIC' },
    ],
  },
  power: {
    resetTypes: ['On', 'Nmi', 'GracefulShutdown', 'GracefulRestart', 'ForceOn', 'ForceOff', 'ForceRestart'],
    listed: 'inline',
    already: 204,
    managerResets: ['GracefulRestart', 'ForceRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'Cd', 'Usb', 'Hdd', 'BiosSetup', 'Diags', 'UefiTarget'],
    lasts: ['Once', 'Disabled'],
    listsLasts: true,
    bootNext: true,
    mode: 'UEFI',
    settings: { name: 'Pending', takes: 'order' },
    orderWritable: true,
  },
  bios: {
    entries: bios,
    settings: 'Pending',
    shows: 'all',
    applyTimes: ['OnReset'],
    registry: 'BiosAttributeRegistry.1.0.0',
    registryFile: 'BiosAttributeRegistry.1.0.0',
    registryUri: '/redfish/v1/schemas/registries/BiosAttributeRegistry.1.0.0.json',
    language: 'en',
    resetRequired: true,
  },
  media: {
    under: ['Systems', 'Managers'],
    slots: [
      { id: 'EXT1', name: 'VirtualMedia', types: ['CD', 'DVD', 'USBStick'], insert: 'patch' },
      { id: 'EXT2', name: 'VirtualMedia', types: ['CD', 'DVD', 'USBStick'], insert: 'patch' },
      { id: 'Remote1', name: 'VirtualMedia', types: ['CD', 'DVD'], insert: 'none' },
    ],
    schemes: ['http', 'https', 'nfs', 'cifs'],
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    multipart: '/mfwupdate',
    push: '/fwupdate',
    names: 'location',
    monitorOf: id => `/redfish/v1/TaskService/TaskMonitors/${id}`,
    monitorForgets: true,
    becomesJob: true,
    pendingSuffix: '-Pending',
  },
  protocol: {
    expandLevels: 2,
    select: true,
    only: true,
    etag: 'strong',
    ifMatch: 'checked',
    ifMatchOnActions: 'refused',
    sessionLimit: 16,
    sessionSeconds: 300,
    lockout: { failures: 5, seconds: 3600 },
  },
}
