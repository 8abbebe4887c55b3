import { Fault } from '../core/fault.ts'
import type { Identity } from '../ports/bmc.ts'
import { actionTarget, idOf, linkTo, safePath, samePath } from './transport/link.ts'
import { field, known, list, part, type Resource, text, texts } from './transport/read.ts'
import type { Service } from './transport/service.ts'

/** What one look at a BMC found: the system to work on, its manager, and where both are. */
export interface Found {
  readonly root: Resource
  readonly system: Resource
  readonly systemPath: string
  readonly manager?: Resource
  readonly managerPath?: string
  readonly identity: Identity
}

/**
 * Finds the machine behind a BMC. `which` names one of several: its path, its id or its UUID. To read only, a path that is known is enough:
 * the list of systems and the manager are not asked for.
 */
export async function findMachine(service: Service, which: string | undefined, reading: boolean, signal?: AbortSignal): Promise<Found> {
  const root = await service.root(signal)
  const path = reading ? safePath(which) : undefined
  const there = path === undefined ? undefined : await service.find(path, signal)
  if (path !== undefined && there) return { root, system: there, systemPath: path, identity: identityOf(root, there, path, undefined) }
  const systems = linkTo(root, 'Systems')
  if (systems === undefined) throw noSystem(service, 'it has no systems')
  const { system, path: systemPath } = await chooseSystem(service, systems, which, signal)
  const { manager, path: managerPath } = await managerOf(service, root, system, signal)
  return known<Found>({ root, system, systemPath, manager, managerPath, identity: identityOf(root, system, systemPath, manager) })
}

type Chosen = { readonly system: Resource; readonly path: string }

async function chooseSystem(service: Service, systems: string, which: string | undefined, signal?: AbortSignal): Promise<Chosen> {
  const links = await service.links(systems, signal)
  const named =
    which === undefined ? undefined : links.find(link => samePath(link, which) || link.replace(/\/+$/, '').endsWith(`/${which}`))
  if (named !== undefined) return { system: await service.get(named, signal), path: named }
  const found: Chosen[] = []
  for (const path of links.slice(0, 64)) {
    const system = await service.find(path, signal)
    if (system) found.push({ system, path })
  }
  if (which !== undefined) {
    const one = found.find(({ system }) => text(system, 'UUID')?.toLowerCase() === which.toLowerCase() || text(system, 'Id') === which)
    if (one) return one
    throw noSystem(service, `none of its ${found.length} systems is "${which}"`)
  }
  // Boards of accelerators are listed as systems, too: without a boot setting and a reset they are none of ours.
  const hosts = found.filter(
    ({ system }) => part(system, 'Boot') !== undefined && actionTarget(system, '#ComputerSystem.Reset') !== undefined,
  )
  const [host, another] = hosts.length > 0 ? hosts : found
  if (host === undefined) throw noSystem(service, 'it lists no system')
  if (another !== undefined)
    throw new Fault(
      'bmc/several-systems',
      `Cannot choose a system of the BMC at ${service.name}: it has ${(hosts.length > 0 ? hosts : found).map(({ path }) => path).join(', ')}`,
      'when-changed',
      {
        hint: 'Name one of them.',
      },
    )
  return host
}

/** The manager that the system names; where it names none for a while (seen on Huawei), the first one. */
async function managerOf(
  service: Service,
  root: Resource,
  system: Resource,
  signal?: AbortSignal,
): Promise<{ readonly manager?: Resource; readonly path?: string }> {
  const named = list(part(system, 'Links'), 'ManagedBy')
    .map(link => idOf(link))
    .filter(id => id !== undefined)
  const managers = linkTo(root, 'Managers')
  const path =
    named.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? (managers === undefined ? undefined : (await service.links(managers, signal))[0])
  if (path === undefined) return {}
  const manager = await service.find(path, signal)
  return manager === undefined ? {} : { manager, path }
}

function identityOf(root: Resource, system: Resource, path: string, manager: Resource | undefined): Identity {
  const oem = Object.keys(part(root, 'Oem') ?? {})[0]
  return known<Identity>({
    manufacturer: text(system, 'Manufacturer') ?? text(root, 'Vendor') ?? '',
    model: text(system, 'Model') ?? '',
    serial: text(system, 'SerialNumber'),
    uuid: text(system, 'UUID')?.toLowerCase(),
    sku: text(system, 'SKU'),
    bmcModel: text(manager, 'Model'),
    bmcFirmware: text(manager, 'FirmwareVersion'),
    bmcMaker: text(root, 'Vendor') ?? oem,
    redfish: text(root, 'RedfishVersion') ?? '',
    system: path,
  })
}

/** Reset types, listed beside the action or in a resource of their own. */
export async function resetsOf(service: Service, system: Resource, signal?: AbortSignal): Promise<readonly string[]> {
  const action = part(system, 'Actions', '#ComputerSystem.Reset')
  const inline = texts(action, 'ResetType@Redfish.AllowableValues')
  if (inline.length > 0) return inline
  const info = field(action, '@Redfish.ActionInfo')
  const path = typeof info === 'string' ? idOf({ '@odata.id': info }) : undefined
  const parameters = path === undefined ? [] : list(await service.find(path, signal), 'Parameters')
  return texts(
    parameters.find(parameter => text(parameter, 'Name') === 'ResetType'),
    'AllowableValues',
  )
}

/** Another machine behind the same address must not be switched off in place of ours. */
export function sameMachine(service: Service, was: Identity, system: Resource): void {
  const now = { uuid: text(system, 'UUID')?.toLowerCase(), serial: text(system, 'SerialNumber') }
  const differs = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && a !== b
  if (!differs(was.uuid, now.uuid) && !differs(was.serial, now.serial)) return
  throw new Fault(
    'bmc/another-machine',
    `Cannot change anything at the BMC at ${service.name}: it now speaks for ${now.serial ?? now.uuid}, and was opened for ${was.serial ?? was.uuid}`,
    'when-changed',
    { hint: 'The address was given to another server, or its board was exchanged: check which one this is.' },
  )
}

const noSystem = (service: Service, found: string): Fault =>
  new Fault('bmc/no-system', `Cannot find the server behind the BMC at ${service.name}: ${found}`, 'when-changed')
