import type { Json, JsonObject } from '../../../core/json.ts'
import { serialOf, uuidOf } from '../../machine/identity.ts'
import { firmwareVersion, type Machine } from '../../machine/machine.ts'
import { bootProgress } from '../../machine/post.ts'
import { isOn, takes } from '../../misbehaviour/switches.ts'
import { type SimBmc, withWritten, writeOver } from '../bmc.ts'
import { done, type Extra, type Kit } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { bootOf, patchBoot } from './boot.ts'
import { hardware } from './hardware.ts'
import { collection, iso, rolledUp, shape } from './shape.ts'

/** The host: what it is, whether it is on, how it boots. */
export const system: Extra = kit => {
  const { make, at } = kit
  const path = at.system
  collection(kit, `${at.root}/Systems`, 'ComputerSystemCollection', 'Computer System Collection', [make.ids.system])
  const body = shape(kit, path, 'ComputerSystem.v1_20_0.ComputerSystem', 'System', common(kit))
  kit.node(path, {
    read: bmc => withWritten(bmc, path, { ...body, ...live(bmc), Boot: bootOf(bmc, 'system') }),
    patch(bmc, call) {
      const { Boot, ...rest } = call.body()
      if (Boot !== undefined) patchBoot(bmc, Boot, 'system')
      patchPlain(bmc, path, rest, ['AssetTag', 'HostName', 'IndicatorLED', 'LocationIndicatorActive'])
      return done
    },
  })
}

function common({ make, at }: Kit): JsonObject {
  const path = at.system
  const { power, media } = make
  const under = (name: string): JsonObject => at.to(`${path}/${name}`)
  return {
    SystemType: 'Physical',
    Manufacturer: make.manufacturer,
    Model: make.model,
    AssetTag: '',
    HostName: '',
    IndicatorLED: 'Off',
    LocationIndicatorActive: false,
    Status: rolledUp,
    ProcessorSummary: {
      Count: hardware.sockets,
      CoreCount: hardware.sockets * hardware.cores,
      LogicalProcessorCount: hardware.sockets * hardware.threads,
      Model: hardware.cpu,
      Status: rolledUp,
    },
    MemorySummary: { TotalSystemMemoryGiB: hardware.memoryGiB, MemoryMirroring: 'None', Status: rolledUp },
    ...Object.fromEntries(
      ['Bios', 'Processors', 'Memory', 'EthernetInterfaces', 'Storage', 'SimpleStorage', 'SecureBoot', 'LogServices'].map(name => [
        name,
        under(name),
      ]),
    ),
    ...(media.under.includes('Systems') ? { VirtualMedia: under('VirtualMedia') } : {}),
    ...(make.boot.settings
      ? {
          '@Redfish.Settings': {
            '@odata.type': '#Settings.v1_3_3.Settings',
            SettingsObject: under(make.boot.settings.name),
          },
        }
      : {}),
    Links: { Chassis: [at.to(at.chassis)], ManagedBy: [at.to(at.manager)] },
    Actions: {
      '#ComputerSystem.Reset': {
        target: at.spell(`${path}/Actions/ComputerSystem.Reset`),
        ...(power.listed === 'inline'
          ? { 'ResetType@Redfish.AllowableValues': power.resetTypes }
          : { '@Redfish.ActionInfo': at.spell(`${path}/ResetActionInfo`) }),
      },
    },
  }
}

function live(bmc: SimBmc): { readonly [key: string]: Json } {
  const { machine } = bmc
  const progress = bootProgress(machine)
  const bios = machine.model.firmware.find(({ kind }) => kind === 'BIOS')
  return {
    UUID: uuidOf(machine.uuidOf ?? machine.number),
    SerialNumber: serialOf(machine.number),
    SKU: `SKU-${serialOf(machine.number)}`,
    BiosVersion: bios ? firmwareVersion(machine, bios.id)! : null,
    PowerState: powerState(bmc),
    ...(machine.health === undefined ? {} : { Status: { ...rolledUp, HealthRollup: machine.health } }),
    LastResetTime: iso(machine.lastReset),
    BootProgress: { LastState: progress.state, LastStateTime: iso(progress.since) },
  }
}

const lag = 30_000

function powerState(bmc: SimBmc): Json {
  const { machine } = bmc
  if (takes(machine, 'power-null')) return null
  if (takes(machine, 'power-unknown')) return 'Hibernating'
  if (takes(machine, 'power-flapping')) return (bmc.calls & 1) === 0 ? 'On' : 'Off'
  if (isOn(machine, 'power-lagging') && machine.site.clock.now() - machine.powerSince < lag) return before(machine)
  return machine.power
}

const before = ({ power }: Machine): string => (power === 'On' || power === 'PoweringOn' ? 'Off' : 'On')

/** Writes what may be written; anything else is refused by name. */
export function patchPlain(bmc: SimBmc, path: string, wanted: JsonObject, writable: readonly string[]): void {
  const changes = Object.entries(wanted).filter(([name]) => !name.includes('@'))
  const bad = changes.find(([name]) => !writable.includes(name))
  if (bad) throw new Refusal(400, 'PropertyNotWritable', [bad[0]], { related: [`#/${bad[0]}`] })
  if (changes.length > 0) writeOver(bmc, path, Object.fromEntries(changes))
}
