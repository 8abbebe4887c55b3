import { describe, it } from 'vitest'
import { silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import { stepClock } from '../kube-client/fakes.ts'
import { anyAccess, isRecorded, recorded } from '../redfish/recorded.ts'
import { bmcContract, type KnownMachine } from './bmc/contract.ts'

const dellSystem = '/redfish/v1/Systems/System.Embedded.1'

/** What a person sees in the recorded trees. */
const machines: readonly (KnownMachine & { readonly tree: string; readonly expands: boolean })[] = [true, false].flatMap(expands => [
  {
    tree: 'dell',
    expands,
    name: `a recorded PowerEdge R750${expands ? '' : ' that does not expand'}`,
    identity: {
      manufacturer: 'Dell Inc.',
      model: 'PowerEdge R750',
      sku: 'F54P1G3',
      bmcFirmware: '6.00.30.00',
      redfish: '1.13.1',
      system: dellSystem,
    },
    power: 'On',
    boot: {
      targets: ['Pxe', 'UefiHttp', 'Hdd', 'Cd', 'BiosSetup'],
      takesUri: false,
      continuous: true,
      place: dellSystem,
      options: { Boot0000: 'UefiHttp', Boot0001: 'Hdd', Boot0002: 'Hdd', Boot0003: 'Hdd', Boot0004: 'Hdd' },
    },
    media: {
      by: 'action',
      cds: [`${dellSystem}/VirtualMedia/1`, `${dellSystem}/VirtualMedia/2`, '/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/CD'],
    },
    bios: { version: '1.8.2', settings: 455, registry: 682 },
    firmware: { components: 29, ways: ['update', 'push'] },
    inventory: {
      processors: 2,
      nics: 5,
      disks: 3,
      memoryBytes: 512 * 1024 ** 3,
      some: { uuid: '4c4c4544-0035-3410-8050-c6c04f314733', biosVersion: '1.8.2', health: 'OK' },
    },
    calls: expands ? { open: 5, inventory: 12 } : { open: 5, inventory: 23 },
  },
  {
    tree: 'supermicro',
    expands,
    name: `a recorded SYS-821GE-TNHR${expands ? '' : ' that does not expand'}`,
    identity: {
      manufacturer: 'Supermicro',
      model: 'SYS-821GE-TNHR',
      serial: 'S889914X3710910',
      bmcFirmware: '11.01.01',
      system: '/redfish/v1/Systems/1',
    },
    power: 'On',
    boot: {
      targets: ['Pxe', 'UefiHttp', 'Hdd', 'Cd', 'UefiShell', 'BiosSetup'],
      takesUri: false,
      continuous: true,
      place: '/redfish/v1/Systems/1',
      options: {
        ...Object.fromEntries(['19', '1A', '1B', '1C', '1D', '1E', '1F', '20', '21', '22', '23'].map(n => [`Boot00${n}`, 'Pxe'])),
        Boot0018: 'UefiShell',
      },
    },
    media: { by: 'action', cds: [1, 2, 3].map(n => `/redfish/v1/Managers/1/VirtualMedia/VirtualMedia${n}`) },
    bios: { version: '1.4', settings: 379, registry: 495 },
    firmware: { components: 106, ways: ['update', 'push'] },
    inventory: { processors: 2, nics: 11, disks: 8, memoryBytes: 2048 * 1024 ** 3, some: { serial: 'S889914X3710910' } },
    calls: expands ? { open: 6, inventory: 10 } : { open: 6, inventory: 33 },
  },
])

for (const known of machines) {
  if (isRecorded(known.tree))
    bmcContract(
      known.name,
      async () => {
        const { transport, asked, linked } = recorded(known.tree, known.expands)
        const bmc = await openBmc(anyAccess(), { clock: stepClock(true), log: silent, transport })
        return { bmc, known, asked, linked }
      },
      { changes: false },
    )
  else describe(known.name, () => it.skip(`the recorded tree "${known.tree}" is not here (../shared/fixtures/redfish)`, () => {}))
}
