import type { Extra } from '../redfish/node.ts'
import { choice, entry, paths, toggle, usualTimes, valuesOf, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('BootMode', 'Uefi', 'LegacyBios'),
  choice('WorkloadProfile', 'GeneralPowerEfficientCompute', 'Virtualization-MaxPerformance', 'Custom'),
  toggle('ProcHyperthreading', 'Enabled'),
  toggle('ProcVirtualization', 'Enabled'),
  toggle('Sriov', 'Enabled'),
  choice('HttpSupport', 'Auto', 'HttpsOnly', 'HttpOnly', 'Disabled'),
  words('UrlBootFile'),
  words('UrlBootFile2'),
  toggle('EmbeddedUefiShell', 'Enabled'),
  words('AdminName', '', 28),
] as const

const registryUri = '/redfish/v1/RegistryStore/registries/en/BiosAttributeRegistryA43.v1_2_40'

/** iLO spells links to the BIOS in lower case; followed verbatim they work. */
const lowerCaseLinks: Extra = kit => {
  kit.change(kit.at.system, node => ({
    ...node,
    read: bmc => ({ ...node.read!(bmc), Bios: { '@odata.id': `${kit.at.system}/bios/`.toLowerCase() } }),
  }))
}

/** Gen10+ keeps its registries compressed and answers 406 to clients that take nothing compressed. */
const compressedRegistry: Extra = kit => {
  kit.change(registryUri, node => ({
    ...node,
    look: (bmc, call) => (call.headers['accept-encoding'] === 'identity' ? { status: 406 } : { status: 200, body: node.read!(bmc) }),
  }))
}

/** ProLiant with iLO 5: refuses changes during POST, wants a body with every action, numbers its firmware. */
export const hpe: Personality = {
  name: 'hpe',
  vendor: 'HPE',
  product: 'ProLiant DL385 Gen10 Plus v2',
  redfishVersion: '1.13.0',
  manufacturer: 'HPE',
  model: 'ProLiant DL385 Gen10 Plus v2',
  managerModel: 'iLO 5',
  ids: { system: '1', manager: '1', chassis: '1' },
  slash: true,
  machine: {
    times: { ...usualTimes, post: 180_000 },
    bootEntries: [
      entry('Boot000A', 'Generic USB Boot', 'Other', 'UsbClass(0xFFFF,0xFFFF,0xFF,0xFF,0xFF)'),
      entry('Boot000B', 'Embedded LOM 1 Port 1 : HPE Ethernet (PXE IPv4)', 'Pxe', paths.pxe),
      entry('Boot000C', 'Embedded LOM 1 Port 1 : HPE Ethernet (HTTP(S) IPv4)', 'UefiHttp', paths.http),
      entry('Boot000D', 'NVMe Drive 1', 'Hdd', paths.disk),
      entry('Boot000E', 'iLO Virtual USB 3 : iLO Virtual CD-ROM', 'Cd', paths.cd),
      entry('Boot000F', 'Embedded UEFI Shell', 'UefiShell', paths.shell),
    ],
    bootOrder: ['Boot000A', 'Boot000D', 'Boot000E', 'Boot000F'],
    bios: valuesOf(bios),
    firmware: [
      { id: '1', name: 'iLO 5', version: '2.72', kind: 'BMC' },
      { id: '2', name: 'System ROM', version: 'A43 v2.58', kind: 'BIOS' },
      { id: '3', name: 'HPE Ethernet 10/25Gb Adapter', version: '214.0.286', kind: 'NIC' },
    ],
    httpUriAttribute: 'UrlBootFile',
  },
  power: {
    resetTypes: ['On', 'ForceOff', 'GracefulShutdown', 'ForceRestart', 'Nmi', 'PushPowerButton', 'GracefulRestart'],
    listed: 'inline',
    already: 400,
    managerResets: [],
  },
  boot: {
    targets: ['None', 'Cd', 'Hdd', 'Usb', 'SDCard', 'Utilities', 'Diags', 'BiosSetup', 'Pxe', 'UefiShell', 'UefiHttp', 'UefiTarget'],
    lasts: ['Disabled', 'Once', 'Continuous'],
    mode: 'UEFI',
    orderWritable: true,
    refusesNone: true,
  },
  bios: {
    entries: bios,
    settings: 'settings',
    shows: 'all',
    registry: 'BiosAttributeRegistryA43.v1_2_40',
    registryFile: 'BiosAttributeRegistryA43.v1_2_40',
    registryUri,
    language: 'en',
    resetRequired: false,
  },
  media: {
    under: ['Managers'],
    slots: [
      { id: '1', name: 'VirtualMedia', types: ['Floppy', 'USBStick'], insert: 'action' },
      { id: '2', name: 'VirtualMedia', types: ['CD', 'DVD'], insert: 'action' },
    ],
    schemes: ['http', 'https'],
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    push: '/cgi-bin/uploadFile',
    names: 'error-shaped',
    monitorOf: id => `/redfish/v1/TaskService/TaskMonitors/${id}`,
  },
  protocol: {
    expandLevels: 1,
    only: true,
    etag: 'weak',
    ifMatch: 'checked',
    ifMatchOnActions: 'ignored',
    actionsNeedBody: true,
    refusesDuringPost: true,
    sessionLimit: 13,
    // As recorded: what sits idle for half a minute is logged out.
    sessionSeconds: 30,
    lockout: { failures: 5, seconds: 60 },
    says: {
      NoOperation: 'iLO.2.15.InvalidOperationForSystemState',
      UnableToModifyDuringSystemPOST: 'iLO.2.15.UnableToModifyDuringSystemPOST',
    },
  },
  extras: [lowerCaseLinks, compressedRegistry],
}
