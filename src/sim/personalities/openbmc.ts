import { choice, entry, paths, toggle, usualTimes, valuesOf } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  toggle('pvm_hmc_managed', 'Enabled'),
  choice('pvm_boot_type', 'IPL', 'Zero', 'Copy'),
  toggle('pvm_vtpm', 'Disabled'),
  { name: 'pvm_delay', type: 'Integer', value: 0, minimum: 0, maximum: 60 },
] as const

/** Stock bmcweb: few override targets, no HTTP boot, media only over https and smb, monitors under the task. */
export const openbmc: Personality = {
  name: 'openbmc',
  vendor: 'OpenBMC',
  product: 'OpenBMC',
  redfishVersion: '1.17.0',
  manufacturer: 'OpenBMC Project',
  model: 'Reference board',
  managerModel: 'OpenBmc',
  ids: { system: 'system', manager: 'bmc', chassis: 'chassis' },
  machine: {
    times: usualTimes,
    bootEntries: [
      entry('Boot0000', 'UEFI Shell', 'UefiShell', paths.shell),
      entry('Boot0001', 'Disk', 'Hdd', paths.disk),
      entry('Boot0002', 'Network', 'Pxe', paths.pxe),
      entry('Boot0003', 'USB virtual media', 'Cd', paths.cd),
    ],
    bootOrder: ['Boot0001', 'Boot0003', 'Boot0000'],
    bios: valuesOf(bios),
    firmware: [
      { id: 'bmc_active', name: 'BMC image', version: '2.14.0', kind: 'BMC' },
      { id: 'bios_active', name: 'Host image', version: '1.0.0', kind: 'BIOS' },
    ],
  },
  power: {
    resetTypes: ['On', 'ForceOff', 'ForceOn', 'ForceRestart', 'GracefulRestart', 'GracefulShutdown', 'Nmi', 'PowerCycle'],
    listed: 'action-info',
    already: 204,
    managerResets: ['GracefulRestart', 'ForceRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'Hdd', 'Cd', 'Diags', 'BiosSetup', 'Usb'],
    lasts: ['Disabled', 'Once', 'Continuous'],
    listsLasts: true,
    mode: 'UEFI',
    orderWritable: false,
  },
  bios: {
    entries: bios,
    settings: 'Settings',
    shows: 'pending',
    registry: null,
    registryFile: 'BiosAttributeRegistry',
    registryUri: '/redfish/v1/Registries/BiosAttributeRegistry/BiosAttributeRegistry',
    language: 'en',
    resetRequired: false,
  },
  media: {
    under: ['Managers'],
    slots: [
      { id: 'Slot_0', name: 'Virtual Removable Media', types: ['CD', 'USBStick'], insert: 'none' },
      { id: 'Slot_2', name: 'Virtual Removable Media', types: ['CD', 'USBStick'], insert: 'action' },
    ],
    mustBe: { TransferMethod: 'Stream', Inserted: true },
    schemes: ['https', 'smb'],
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    multipart: '/redfish/v1/UpdateService/update-multipart',
    push: '/redfish/v1/UpdateService/update',
    names: 'location',
    monitorOf: id => `/redfish/v1/TaskService/Tasks/${id}/Monitor`,
  },
  protocol: {
    expandLevels: 6,
    select: true,
    only: true,
    etag: 'strong',
    ifMatch: 'ignored',
    ifMatchOnActions: 'ignored',
    sessionLimit: 64,
    sessionSeconds: 1800,
    lockout: { failures: 5, seconds: 300 },
  },
}
