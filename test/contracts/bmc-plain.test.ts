import { silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import { stepClock } from '../kube-client/fakes.ts'
import { fakeBmc } from '../redfish/fake.ts'
import { anyAccess } from '../redfish/recorded.ts'
import { bmcContract, type KnownMachine } from './bmc/contract.ts'

const system = '/redfish/v1/Systems/1'

const known: KnownMachine = {
  name: 'a plain tree',
  identity: {
    manufacturer: 'Contoso',
    model: '3500RX',
    serial: 'SN-1',
    uuid: '38947555-7742-3448-3784-823347823834',
    bmcModel: 'BMC-1',
    bmcFirmware: '2.0',
    system,
  },
  power: 'Off',
  boot: {
    targets: ['Pxe', 'UefiHttp', 'Hdd', 'Cd', 'UefiShell', 'BiosSetup'],
    takesUri: true,
    continuous: true,
    place: system,
    options: { Boot0001: 'Hdd', Boot0002: 'UefiHttp' },
  },
  media: { cds: ['/redfish/v1/Managers/1/VirtualMedia/Cd'], by: 'action' },
  bios: { version: '1.2.3', settings: 3, registry: 3, change: { ProcCores: 4 } },
  firmware: { components: 2, ways: ['update', 'push'], image: 'http://images.test/bios.bin' },
  inventory: { processors: 1, nics: 1, disks: 1, memoryBytes: 64 * 1024 ** 3 },
  calls: { open: 5, inventory: 13 },
}

bmcContract(
  known.name,
  async () => {
    const fake = fakeBmc()
    const bmc = await openBmc(anyAccess(), { clock: stepClock(true), log: silent, transport: fake.transport })
    const settle = async (): Promise<void> => {
      fake.tree['/redfish/v1/TaskService/Tasks/7']!['TaskState'] = 'Completed'
    }
    return { bmc, known, asked: fake.asked, settle }
  },
  { changes: true },
)
