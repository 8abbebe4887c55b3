import { crdOf, installedLabel } from '../../api/crd.ts'
import { everyKind } from '../../api/kinds.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, Reader, ResourceRef } from '../../ports/index.ts'
import type { Neighbours } from './courtesy.ts'
import { leases, liveHolder } from './live-lease.ts'
import type { Role } from './roles.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** Looks who else is there. Reads only. */
export async function findNeighbours(kube: Reader, clock: Pick<Clock, 'now'>, role: Role): Promise<Neighbours> {
  const found = await Promise.all(role.crds.map(async name => ({ name, crd: await kube.find(definitions, { name }) })))
  const foreign = found.filter(({ crd }) => crd && !isOurs(crd)).map(({ name, crd }) => ({ crd: name, lacks: lacking(name, crd!) }))
  const live: Neighbours['live'][number][] = []
  for (const { lease, who } of role.rivals) {
    const { items } = await kube.list(leases, { fields: `metadata.name=${lease}` })
    for (const item of items) {
      const holder = liveHolder(item, clock.now())
      if (holder !== undefined) live.push({ who, lease: `${item.metadata.namespace}/${item.metadata.name}`, holder })
    }
  }
  return { foreign, live, missing: found.filter(({ crd }) => !crd).map(({ name }) => name) }
}

const isOurs = ({ metadata }: KubeObject): boolean =>
  Object.entries(installedLabel).every(([key, value]) => metadata.labels?.[key] === value)

/** Fields of our own schema that the served one does not have: writes to them would be dropped without a word. */
function lacking(name: string, served: KubeObject): readonly string[] {
  const kind = everyKind.find(({ plural, group }) => `${plural}.${group}` === name)
  if (!kind) return []
  const theirs = schemaOf(served, kind.version)
  return theirs === undefined ? [`version ${kind.version}`] : missing(schemaOf(crdOf(kind), kind.version), theirs, '')
}

function schemaOf(crd: KubeObject, version: string): unknown {
  const versions = isObject(crd['spec']) && Array.isArray(crd['spec']['versions']) ? crd['spec']['versions'].filter(isObject) : []
  const found = versions.find(({ name }) => name === version)
  return found && isObject(found['schema']) ? found['schema']['openAPIV3Schema'] : undefined
}

function missing(ours: unknown, theirs: unknown, path: string): readonly string[] {
  if (!isObject(ours) || !isObject(theirs) || theirs['x-kubernetes-preserve-unknown-fields'] === true) return []
  const own = isObject(ours['properties']) ? ours['properties'] : {}
  const other = isObject(theirs['properties']) ? theirs['properties'] : {}
  const inside = Object.entries(own).flatMap(([name, schema]) => {
    const at = path === '' ? name : `${path}.${name}`
    return Object.hasOwn(other, name) ? missing(schema, other[name], at) : [at]
  })
  return [...inside, ...missing(ours['items'], theirs['items'], `${path}[]`)]
}
