import type { BootKind } from '../machine/world.ts'
import { done, type Extra } from '../redfish/node.ts'
import { Refusal } from '../redfish/refusal.ts'
import { shape } from '../redfish/resources/shape.ts'
import { choice, entry, toggle, usualTimes, valuesOf, whole, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('BootModeSelect_0105', 'UEFI', 'Legacy', 'Dual'),
  choice('IPv4HTTPSupport_0F1B', 'Disabled', 'Enabled'),
  words('BootURI_0F20'),
  choice('Hyper_Threading_3C50', 'Enable', 'Disable'),
  choice('SR_IOVSupport_0045', 'Enabled', 'Disabled'),
  toggle('Above4GDecoding_0041', 'Enabled'),
  choice('BitsPerSecond_008D', '115200', '57600', '9600'),
  whole('WaitForF1Seconds_0012', 5, 0, 30),
  { name: 'AdministratorPassword_0117', type: 'Password', value: null, maxLength: 20 },
] as const

const fixedNames: Readonly<Record<string, BootKind>> = {
  'UEFI Hard Disk': 'Hdd',
  'UEFI USB CD/DVD': 'Cd',
  'UEFI Network': 'Pxe',
  'UEFI AP:UEFI: Built-in EFI Shell': 'UefiShell',
}

/** The boot order cannot be patched; a resource of the vendor's own takes kinds of device instead of entries. */
const fixedBootOrder: Extra = kit => {
  const path = `${kit.at.system}/Oem/Supermicro/FixedBootOrder`
  const body = shape(kit, path, 'SmcFixedBootOrder.v1_0_0.SmcFixedBootOrder', 'Fixed Boot Order', { BootModeSelected: 'UEFI' })
  const entries = kit.make.machine.bootEntries
  const nameOf = (kind: BootKind | undefined): string | undefined => Object.keys(fixedNames).find(name => fixedNames[name] === kind)
  kit.node(path, {
    read({ machine }) {
      const order = machine.order ?? machine.model.bootOrder
      const kinds = order.map(reference => entries.find(one => one.reference === reference)?.kind)
      return { ...body, FixedBootOrder: kinds.map(nameOf).filter(name => name !== undefined) }
    },
    patch({ machine }, call) {
      const wanted = call.body()['FixedBootOrder']
      if (!Array.isArray(wanted) || !wanted.every(name => typeof name === 'string' && name in fixedNames))
        throw new Refusal(400, 'PropertyValueNotInList', [JSON.stringify(wanted), 'FixedBootOrder'])
      machine.order = wanted.flatMap(name =>
        entries.filter(({ kind }) => kind === fixedNames[String(name)]).map(({ reference }) => reference),
      )
      return done
    },
  })
  kit.change(kit.at.system, node => ({
    ...node,
    read: bmc => ({
      ...node.read!(bmc),
      // Listed at the System, and it lies under the Manager.
      VirtualMedia: kit.at.to(`${kit.at.manager}/VirtualMedia`),
      Oem: { Supermicro: { FixedBootOrder: kit.at.to(path) } },
    }),
  }))
}

/** X13/H13: virtual media is UsbCd, HTTP boot wants a BIOS setting first, updates come in two phases. */
export const supermicro: Personality = {
  name: 'supermicro',
  redfishVersion: '1.11.0',
  manufacturer: 'Supermicro',
  model: 'SYS-821GE-TNHR',
  managerModel: 'ASPEED',
  ids: { system: '1', manager: '1', chassis: '1' },
  machine: {
    times: { ...usualTimes, post: 240_000 },
    // No device paths, as recorded.
    bootEntries: [
      entry('Boot0018', 'UEFI: Built-in EFI Shell', 'UefiShell'),
      entry('Boot0019', '(B26/D0/F0) UEFI PXE IPv4 Network Adapter - 02:5C:00:00:00:00 - 025C00000000', 'Pxe'),
      entry('Boot001A', '(B26/D0/F0) UEFI HTTP IPv4 Network Adapter - 02:5C:00:00:00:00 - 025C00000000', 'UefiHttp'),
      entry('Boot001B', 'UEFI Hard Disk: NVMe 0', 'Hdd'),
      entry('Boot001C', 'UEFI USB CD/DVD: ATEN Virtual CDROM', 'Cd'),
    ],
    bootOrder: ['Boot001B', 'Boot001C', 'Boot0018'],
    bios: valuesOf(bios),
    firmware: [
      { id: 'BMC', name: 'BMC', version: '11.01.01', kind: 'BMC' },
      { id: 'BIOS', name: 'BIOS', version: '1.4', kind: 'BIOS' },
      { id: 'Backup_BIOS', name: 'Backup BIOS', version: '1.4', kind: 'Drive' },
      { id: 'NIC1System_Slot1', name: 'NIC1 System Slot 1', version: '28.36.1010', kind: 'NIC' },
    ],
    httpNeeds: { attribute: 'IPv4HTTPSupport_0F1B', value: 'Enabled' },
    httpUriAttribute: 'BootURI_0F20',
    cdTarget: 'UsbCd',
  },
  power: {
    resetTypes: ['On', 'ForceOff', 'GracefulShutdown', 'GracefulRestart', 'ForceRestart', 'Nmi'],
    listed: 'action-info',
    already: 204,
    managerResets: ['GracefulRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'Floppy', 'Cd', 'Usb', 'Hdd', 'BiosSetup', 'UsbCd', 'UefiBootNext', 'UefiHttp'],
    targetNeeds: { target: 'UefiHttp', attribute: 'IPv4HTTPSupport_0F1B', value: 'Enabled' },
    lasts: ['Disabled', 'Once', 'Continuous'],
    bootNext: true,
    mode: 'UEFI',
    orderWritable: false,
    needs: ['BootSourceOverrideEnabled', 'BootSourceOverrideMode'],
  },
  bios: {
    entries: bios,
    settings: 'SD',
    shows: 'nothing-until-set',
    registry: 'BiosAttributeRegistry.v1_0_0',
    registryFile: 'BiosAttributeRegistry',
    registryUri: '/registries/BiosAttributeRegistry.1.0.0.json',
    language: 'en-US',
    resetRequired: false,
  },
  media: {
    under: ['Managers'],
    slots: [
      { id: 'VirtualMedia1', name: 'Virtual Removable Media', types: ['CD', 'DVD', 'Floppy', 'USBStick'], insert: 'action' },
      { id: 'VirtualMedia2', name: 'Virtual Removable Media', types: ['CD', 'DVD', 'Floppy', 'USBStick'], insert: 'action' },
    ],
    refuses: ['Inserted', 'WriteProtected'],
    schemes: ['http', 'https', 'smb'],
    ejectAppears: true,
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    multipart: '/redfish/v1/UpdateService/upload',
    twoPhases: true,
    names: 'message-args',
    monitorOf: id => `/redfish/v1/TaskMonitor/${id}`,
  },
  protocol: {
    expandLevels: 2,
    select: true,
    etag: 'strong',
    ifMatch: 'checked',
    ifMatchOnActions: 'ignored',
    sessionLimit: 16,
    sessionSeconds: 300,
    lockout: { failures: 5, seconds: 300 },
  },
  extras: [fixedBootOrder],
}
