import pc from 'picocolors'
import type { Kind } from '../../api/kind.ts'
import { assistedKinds, metal3Kinds, kinds as ownKinds } from '../../api/kinds.ts'
import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import { Fault } from '../../core/fault.ts'
import { compilePath } from '../../core/json-path.ts'
import type { KubeObject } from '../../core/object.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type Kube, type ResourceRef, resourceOf } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { readFleet } from '../fleet.ts'
import { since } from '../output/age.ts'
import { hostTable } from '../output/hosts.ts'
import { claimTable, serverTable } from '../output/servers.ts'
import { print } from '../output/structured.ts'
import { table } from '../output/table.ts'

/** Every kind that people ask for by name. */
const kinds = [...ownKinds, ...metal3Kinds, ...assistedKinds]

/** Servers, claims and hosts at a glance, or the objects of one kind. */
export const get = (options: Options, what?: string, name?: string): Promise<number> =>
  withApi(options, async kube => {
    if (what === undefined) await overview(options, kube)
    else await listing(options, kube, kindNamed(what), name)
    return 0
  })

async function overview(options: Options, kube: Kube): Promise<void> {
  const fleet = await readFleet(kube)
  const now = wallClock.now()
  print(options, [...fleet.servers, ...fleet.claims, ...fleet.hosts], () =>
    [
      ...(fleet.servers.length > 0 || fleet.hosts.length === 0 ? [serverTable(fleet, now, pc)] : []),
      ...(fleet.claims.length > 0 ? [claimTable(fleet, now, pc)] : []),
      ...(fleet.hosts.length > 0 ? [hostTable(fleet.hosts, now, pc)] : []),
    ].join('\n\n'),
  )
}

async function listing(options: Options, kube: Kube, kind: Kind, name: string | undefined): Promise<void> {
  const resource = resourceOf(kind) as ResourceRef
  const namespace = typeof options['namespace'] === 'string' ? { namespace: options['namespace'] } : {}
  if (name !== undefined) {
    const key = kind.scope === 'Namespaced' ? { name, namespace: 'default', ...namespace } : { name }
    const object = await kube.get(resource, key)
    print(options, object, () => rows(kind, [object]))
    return
  }
  const { items } = await kube.list(resource, kind.scope === 'Namespaced' ? namespace : {})
  const fleet = kind.kind === 'Server' || kind.kind === 'ServerClaim' ? await readFleet(kube) : undefined
  const now = wallClock.now()
  print(options, items, () => {
    if (items.length === 0) return `There are no ${kind.plural}.`
    if (kind.kind === 'BareMetalHost') return hostTable(items as readonly BareMetalHost[], now, pc)
    if (fleet && kind.kind === 'Server') return serverTable(fleet, now, pc)
    if (fleet && options['namespace'] === undefined) return claimTable(fleet, now, pc)
    return rows(kind, items)
  })
}

/** The kind's own printer columns, as kubectl shows them. */
function rows(kind: Kind, objects: readonly KubeObject[]): string {
  const columns = kind.columns.filter(({ priority = 0, name }) => priority === 0 && name !== 'Age')
  const headings = [kind.scope === 'Namespaced' ? 'NAMESPACE/NAME' : 'NAME', ...columns.map(({ name }) => name.toUpperCase()), 'AGE']
  const cells = columns.map(({ jsonPath }) => compilePath(jsonPath))
  const cell = (found: unknown): string => (typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found))
  return table(
    headings,
    objects.map(object => [
      object.metadata.namespace === undefined ? object.metadata.name : `${object.metadata.namespace}/${object.metadata.name}`,
      ...cells.map(find => cell(find(object)[0])),
      since(object.metadata.creationTimestamp, wallClock.now()),
    ]),
    pc,
  )
}

export function kindNamed(text: string): Kind {
  const word = text.toLowerCase()
  const found = kinds.find(
    ({ kind, plural, shortNames }) => kind.toLowerCase() === word || plural === word || shortNames.includes(word) || aliases[word] === kind,
  )
  if (found) return found
  throw new Fault('cli/no-such-kind', `Cannot get "${text}": the kinds are ${kinds.map(({ plural }) => plural).join(', ')}`, 'never')
}

const aliases: Readonly<Record<string, string>> = {
  host: 'BareMetalHost',
  hosts: 'BareMetalHost',
  claim: 'ServerClaim',
  claims: 'ServerClaim',
  maintenance: 'ServerMaintenance',
  maintenances: 'ServerMaintenance',
  configuration: 'ServerBootConfiguration',
  configurations: 'ServerBootConfiguration',
}
