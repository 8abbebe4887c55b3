import type { BootTarget } from '../../../src/ports/index.ts'
import type { KnownMachine } from './machine.ts'

const gib = 1024 ** 3
const every: readonly BootTarget[] = ['Pxe', 'UefiHttp', 'Hdd', 'Cd', 'UefiShell', 'BiosSetup']
const without = (...missing: readonly BootTarget[]): readonly BootTarget[] => every.filter(target => !missing.includes(target))
const hardware = { processors: 2, nics: 2, disks: 3, memoryBytes: 256 * gib }
const image = 'https://images.test/BIOS-2.4.1.bin'
const cdsAt = (parent: string, ...names: readonly string[]): readonly string[] =>
  names.map(name => `/redfish/v1/${parent}/VirtualMedia/${name}`)

/** What a person knows of each make in the simulated rack, by its name there. */
export const makes: Readonly<Record<string, Omit<KnownMachine, 'name'>>> = {
  generic: {
    identity: { bmcFirmware: '1.0.0', manufacturer: 'Rackwright', model: 'Sim R1', system: '/redfish/v1/Systems/1' },
    power: 'Off',
    boot: {
      targets: every,
      takesUri: true,
      continuous: true,
      place: '/redfish/v1/Systems/1',
      options: { Boot0000: 'UefiShell', Boot0001: 'Hdd', Boot0002: 'Pxe', Boot0003: 'UefiHttp', Boot0004: 'Cd' },
    },
    media: { cds: [...cdsAt('Systems/1', 'Cd'), ...cdsAt('Managers/BMC', 'Cd')], by: 'action' },
    bios: { version: '1.0.0', settings: 9, registry: 9, change: { BootDelaySeconds: 10 } },
    firmware: { components: 3, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 5, inventory: 9 },
  },
  dell: {
    identity: {
      bmcFirmware: '6.00.30.00',
      manufacturer: 'Dell Inc.',
      model: 'PowerEdge R750',
      system: '/redfish/v1/Systems/System.Embedded.1',
    },
    power: 'Off',
    boot: {
      targets: without('UefiShell'),
      takesUri: false,
      continuous: true,
      place: '/redfish/v1/Systems/System.Embedded.1',
      options: { Boot0000: 'UefiHttp', Boot0001: 'Pxe', Boot0002: 'Hdd', Boot0003: 'Cd' },
    },
    media: { cds: [...cdsAt('Systems/System.Embedded.1', '1', '2'), ...cdsAt('Managers/iDRAC.Embedded.1', 'CD')], by: 'action' },
    bios: { version: '1.8.2', settings: 13, registry: 13, change: { SriovGlobalEnable: 'Enabled' } },
    firmware: { components: 53, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 6, inventory: 13 },
  },
  hpe: {
    identity: { bmcFirmware: '2.72', manufacturer: 'HPE', system: '/redfish/v1/Systems/1/' },
    power: 'Off',
    boot: {
      targets: every,
      takesUri: false,
      continuous: true,
      place: '/redfish/v1/Systems/1/',
      options: { Boot000A: 'Other', Boot000B: 'Pxe', Boot000C: 'UefiHttp', Boot000D: 'Hdd', Boot000E: 'Cd', Boot000F: 'UefiShell' },
    },
    media: { cds: ['/redfish/v1/Managers/1/VirtualMedia/2/'], by: 'action' },
    bios: { version: 'A43 v2.58', settings: 10, registry: 10, change: { Sriov: 'Disabled' } },
    firmware: { components: 3, ways: ['update'], image },
    inventory: hardware,
    calls: { open: 5, inventory: 12 },
  },
  lenovo: {
    identity: { bmcFirmware: '2.83-DVI3B4A', manufacturer: 'Lenovo', system: '/redfish/v1/Systems/1' },
    power: 'Off',
    boot: {
      targets: without('UefiHttp', 'UefiShell'),
      takesUri: false,
      continuous: false,
      place: '/redfish/v1/Systems/1',
      options: { Boot0001: 'Hdd', Boot0002: 'Cd', Boot0003: 'Pxe' },
    },
    media: { cds: [...cdsAt('Systems/1', 'EXT1', 'EXT2'), ...cdsAt('Managers/1', 'EXT1', 'EXT2')], by: 'change' },
    bios: { version: '1.40-AFE126E', settings: 8, registry: 8, change: { DevicesandIOPorts_SRIOV: 'Disable' } },
    firmware: { components: 3, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 6, inventory: 10 },
  },
  supermicro: {
    identity: { bmcFirmware: '11.01.01', manufacturer: 'Supermicro', system: '/redfish/v1/Systems/1' },
    power: 'Off',
    boot: {
      targets: every,
      takesUri: false,
      continuous: true,
      place: '/redfish/v1/Systems/1',
      options: { Boot0018: 'UefiShell', Boot0019: 'Pxe', Boot001A: 'UefiHttp', Boot001B: 'Hdd', Boot001C: 'Cd' },
    },
    media: { cds: cdsAt('Managers/1', 'VirtualMedia1', 'VirtualMedia2'), by: 'action' },
    bios: { version: '1.4', settings: 9, registry: 9, change: { WaitForF1Seconds_0012: 10 } },
    firmware: { components: 4, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 6, inventory: 10 },
  },
  ami: {
    identity: { bmcFirmware: '13.6.3', manufacturer: 'GIGABYTE', system: '/redfish/v1/Systems/Self' },
    power: 'Off',
    boot: {
      targets: every,
      takesUri: true,
      continuous: true,
      place: '/redfish/v1/Systems/Self/SD',
      options: { Boot0001: 'Hdd', Boot0002: 'Pxe', Boot0003: 'UefiHttp', Boot0004: 'Cd', Boot0005: 'UefiShell' },
    },
    media: { cds: cdsAt('Managers/Self', 'CD1'), by: 'action' },
    bios: { version: 'R23_F01', settings: 6, registry: 6, change: { PCIS007: 'Disabled' } },
    firmware: { components: 2, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 7, inventory: 11 },
  },
  openbmc: {
    identity: { bmcFirmware: '2.14.0', manufacturer: 'OpenBMC Project', system: '/redfish/v1/Systems/system' },
    power: 'Off',
    boot: {
      targets: without('UefiHttp', 'UefiShell'),
      takesUri: false,
      continuous: true,
      place: '/redfish/v1/Systems/system',
      options: { Boot0000: 'UefiShell', Boot0001: 'Hdd', Boot0002: 'Pxe', Boot0003: 'Cd' },
    },
    media: { cds: cdsAt('Managers/bmc', 'Slot_2'), by: 'action' },
    bios: { version: '1.0.0', settings: 4, registry: 4, change: { pvm_delay: 5 } },
    firmware: { components: 2, ways: ['update', 'push'], image },
    inventory: hardware,
    calls: { open: 6, inventory: 10 },
  },
}
