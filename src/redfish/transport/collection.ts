import { Fault } from '../../core/fault.ts'
import { mostMembers, mostPages } from './limits.ts'
import { followable, idOf } from './link.ts'
import { amount, field, flag, list, part, type Resource } from './read.ts'
import { isRefusal } from './refusal.ts'

/** How a service spells out linked resources in one answer. */
export interface Expansion {
  readonly sign: '.' | '*'
  readonly levels: number
}

interface Asker {
  readonly name: string
  readonly inFlight: number
  get(path: string, signal?: AbortSignal): Promise<Resource>
  find(path: string, signal?: AbortSignal): Promise<Resource | undefined>
  stopExpanding(): void
}

export function expansionOf(root: Resource): Expansion | undefined {
  const offer = part(root, 'ProtocolFeaturesSupported', 'ExpandQuery')
  if (!offer) return undefined
  const sign = flag(offer, 'NoLinks') ? '.' : flag(offer, 'ExpandAll') ? '*' : undefined
  if (sign === undefined) return undefined
  return { sign, levels: flag(offer, 'Levels') === true ? Math.max(1, amount(offer, 'MaxLevels') ?? 1) : 1 }
}

/** The members of a collection: as resources, or as links only. A member that is gone when asked for is left out. */
export async function membersOf(
  service: Asker,
  path: string,
  expansion: Expansion | undefined,
  want: 'links',
  signal?: AbortSignal,
): Promise<readonly string[]>
export async function membersOf(
  service: Asker,
  path: string,
  expansion: Expansion | undefined,
  want: 1 | 2,
  signal?: AbortSignal,
): Promise<readonly Resource[]>
export async function membersOf(
  service: Asker,
  path: string,
  expansion: Expansion | undefined,
  want: 'links' | 1 | 2,
  signal?: AbortSignal,
): Promise<readonly (Resource | string)[]> {
  const found = await pages(service, path, want === 'links' ? undefined : expansion, want === 2 ? 2 : 1, signal)
  if (want === 'links') return found.map(member => idOf(member)).filter(id => id !== undefined)
  const resources: Resource[] = []
  for (let at = 0; at < found.length; at += service.inFlight)
    for (const resource of await Promise.all(found.slice(at, at + service.inFlight).map(member => resolved(service, member, signal))))
      if (resource) resources.push(resource)
  return resources
}

/** A reference that came expanded is the resource; otherwise it is asked for. */
export async function resolved(service: Pick<Asker, 'find'>, member: unknown, signal?: AbortSignal): Promise<Resource | undefined> {
  if (isExpanded(member)) return member
  const id = idOf(member)
  return id === undefined ? undefined : service.find(id, signal)
}

const isExpanded = (member: unknown): member is Resource =>
  field(member, '@odata.id') !== undefined && (field(member, 'Id') ?? field(member, 'Name')) !== undefined

async function pages(
  service: Asker,
  path: string,
  expansion: Expansion | undefined,
  levels: number,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const members: unknown[] = []
  const seen = new Set<string>()
  let page = await onePage(service, path, expansion, levels, signal)
  for (let count = 1; ; count++) {
    members.push(...list(page, 'Members').slice(0, mostMembers + 1))
    if (members.length > mostMembers) throw tooMany(service, path, `more than ${mostMembers} members`)
    const next = field(page, 'Members@odata.nextLink')
    if (next === undefined || next === null || next === '') return members
    const link = followable(next)
    if (seen.has(link) || link === path) throw tooMany(service, path, 'pages that lead back to each other')
    if (count >= mostPages) throw tooMany(service, path, `more than ${mostPages} pages`)
    seen.add(link)
    page = await onePage(service, link, expansion, levels, signal)
  }
}

async function onePage(
  service: Asker,
  path: string,
  expansion: Expansion | undefined,
  levels: number,
  signal: AbortSignal | undefined,
): Promise<Resource> {
  // Links to further pages lose the expansion on some (iDRAC): it is asked for again.
  if (!expansion || path.includes('$expand=')) return service.get(path, signal)
  try {
    const join = path.includes('?') ? '&' : '?'
    return await service.get(`${path}${join}$expand=${expansion.sign}($levels=${Math.min(levels, expansion.levels)})`, signal)
  } catch (error) {
    // Announced, but refused, too large or broken: then one by one, from now on.
    if (
      isRefusal(error, 'bmc/not-found') ||
      !(isRefusal(error) || (error instanceof Fault && ['bmc/too-large', 'bmc/bad-answer'].includes(error.code)))
    )
      throw error
    if (isRefusal(error, 'bmc/unauthorized', 'bmc/forbidden', 'bmc/busy', 'bmc/throttled')) throw error
    service.stopExpanding()
    return service.get(path, signal)
  }
}

const tooMany = (service: Asker, path: string, found: string): Fault =>
  new Fault('bmc/too-large', `Cannot list ${path} of the BMC at ${service.name}: it has ${found}`, 'backoff', {
    hint: 'No server has that: check the firmware of the BMC.',
  })
