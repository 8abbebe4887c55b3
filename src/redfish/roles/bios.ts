import { Fault } from '../../core/fault.ts'
import type { Bios, BiosValue } from '../../ports/bmc.ts'
import { linkTo } from '../transport/link.ts'
import { part, type Resource, text, texts } from '../transport/read.ts'
import { readRegistry } from './bios-registry.ts'
import type { Machine } from './machine.ts'

type Settings = Readonly<Record<string, BiosValue>>

/** Undefined where the machine shows no BIOS settings. */
export function biosRole(machine: Machine): Bios | undefined {
  const { service, system, systemPath, root } = machine
  const path = linkTo(system, 'Bios')
  if (path === undefined) return undefined
  const registries = linkTo(root, 'Registries')

  const look = async (
    signal?: AbortSignal,
  ): Promise<{ readonly bios: Resource; readonly current: Settings; readonly pending: Settings; readonly later: string }> => {
    const bios = await service.get(path, signal)
    const current = attributesOf(bios)
    const later = linkTo(bios, '@Redfish.Settings', 'SettingsObject')
    if (later === undefined) return { bios, current, pending: {}, later: path }
    const wanted = attributesOf((await service.find(later, signal)) ?? {})
    // Half of all vendors show a full copy there: only what differs is pending.
    return { bios, current, later, pending: Object.fromEntries(Object.entries(wanted).filter(([name, value]) => current[name] !== value)) }
  }
  return {
    version: async signal => text(await service.get(systemPath, signal), 'BiosVersion'),
    settings: async signal => attributesOf(await service.get(path, signal)),
    pending: async signal => (await look(signal)).pending,
    async set(settings, signal) {
      const { bios, current, pending, later } = await look(signal)
      const coming: Settings = { ...current, ...pending }
      const unknown = Object.keys(settings).filter(name => !Object.hasOwn(coming, name))
      if (unknown.length > 0) throw noSuch(machine, unknown)
      const changes = Object.fromEntries(Object.entries(settings).filter(([name, value]) => coming[name] !== value))
      if (Object.keys(changes).length === 0) return undefined
      const onReset = texts(part(bios, '@Redfish.Settings'), 'SupportedApplyTimes').includes('OnReset')
      const when = onReset ? { '@Redfish.SettingsApplyTime': { ApplyTime: 'OnReset' } } : {}
      // All at once: iDRACs take one pending job, not one per setting.
      return (await service.patch(later, { Attributes: changes, ...when }, signal)).task
    },
    ...(registries === undefined
      ? {}
      : {
          registry: async (signal?: AbortSignal) =>
            readRegistry(service, registries, text(await service.get(path, signal), 'AttributeRegistry'), signal),
        }),
  }
}

function attributesOf(bios: Resource): Settings {
  const found: [string, BiosValue][] = []
  for (const [name, value] of Object.entries(part(bios, 'Attributes') ?? {}))
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') found.push([name, value])
  return Object.fromEntries(found)
}

const noSuch = ({ service, identity }: Machine, names: readonly string[]): Fault =>
  new Fault(
    'bmc/no-such-setting',
    `Cannot set the BIOS of ${identity.system} of the BMC at ${service.name}: it has no setting ${names.slice(0, 5).join(', ')}`,
    'when-changed',
    {
      hint: 'Names differ by vendor, model and BIOS version: look at what this machine has.',
    },
  )
