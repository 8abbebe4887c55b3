import { ApiError } from '../api/status.ts'
import type { HttpResponse } from '../ports/index.ts'
import { json } from './answer.ts'
import type { Registry } from './registry.ts'
import { apiVersionOf, type Resource } from './resource.ts'

/** What `kubectl` learns first: which groups, versions and resources there are, in the plain and in the aggregated form. */
export function discovery(registry: Registry, path: string, accept: string | undefined): HttpResponse | undefined {
  const parts = path.split('/').filter(part => part !== '')
  const [root, group, version] = parts
  if (root === 'api' && parts.length === 1) {
    if (aggregatedWanted(accept)) return aggregated(registry, true, accept)
    return json({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] })
  }
  if (root === 'apis' && parts.length === 1) {
    if (aggregatedWanted(accept)) return aggregated(registry, false, accept)
    return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(registry).map(groupInfo) })
  }
  if (root === 'api' && parts.length === 2) return resourceList(registry, '', group ?? '')
  if (root === 'apis' && parts.length === 2) {
    const found = groupsOf(registry).find(g => g.name === group)
    if (!found) throw noSuchPath()
    return json({ kind: 'APIGroup', apiVersion: 'v1', ...groupInfo(found) })
  }
  if (root === 'apis' && parts.length === 3) return resourceList(registry, group ?? '', version ?? '')
  return undefined
}

export const noSuchPath = (): ApiError => new ApiError('NotFound', 'the server could not find the requested resource')

interface Group {
  readonly name: string
  readonly versions: readonly string[]
}

function groupsOf(registry: Registry): readonly Group[] {
  const versions = new Map<string, string[]>()
  for (const r of registry.all()) {
    if (r.group === '') continue
    const known = versions.get(r.group) ?? []
    if (!known.includes(r.version)) known.push(r.version)
    versions.set(r.group, known)
  }
  return [...versions].map(([name, list]) => ({ name, versions: list.toSorted(byMaturity) }))
}

/** Kubernetes' order of preference: v2, v1, v1beta2, v1beta1, v1alpha1, then anything else by name. */
export function byMaturity(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)]
  for (let i = 0; i < 3; i += 1) if (x[i] !== y[i]) return (y[i] as number) - (x[i] as number)
  return a < b ? -1 : a > b ? 1 : 0
}

function rank(version: string): readonly [maturity: number, major: number, minor: number] {
  const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!found) return [0, 0, 0]
  return [found[2] === undefined ? 3 : found[2] === 'beta' ? 2 : 1, Number(found[1]), Number(found[3] ?? 0)]
}

function groupInfo(group: Group) {
  const versions = group.versions.map(version => ({ groupVersion: `${group.name}/${version}`, version }))
  return { name: group.name, versions, preferredVersion: versions[0] }
}

function resourceList(registry: Registry, group: string, version: string): HttpResponse {
  const resources = registry.all().filter(r => r.group === group && r.version === version)
  if (resources.length === 0) throw noSuchPath()
  return json({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap(resourceInfo),
  })
}

function resourceInfo(r: Resource) {
  const own = {
    name: r.plural,
    singularName: r.singular,
    namespaced: r.namespaced,
    kind: r.kind,
    verbs: r.verbs,
    ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
    ...(r.categories.length > 0 ? { categories: r.categories } : {}),
  }
  const subresources = r.subresources.map(s => ({
    name: `${r.plural}/${s.name}`,
    singularName: '',
    namespaced: r.namespaced,
    kind: s.kind,
    verbs: s.verbs,
    ...(s.group === undefined ? {} : { group: s.group, version: s.version }),
  }))
  return [own, ...subresources]
}

function aggregatedWanted(accept: string | undefined): boolean {
  return accept?.includes('as=APIGroupDiscoveryList') ?? false
}

function aggregated(registry: Registry, core: boolean, accept: string | undefined): HttpResponse {
  const version = accept?.includes('v=v2;') || accept?.includes('v=v2,') || accept?.endsWith('v=v2') ? 'v2' : 'v2beta1'
  const groups = core ? [{ name: '', versions: ['v1'] }] : groupsOf(registry)
  const items = groups.map(group => ({
    metadata: core ? { creationTimestamp: null } : { name: group.name, creationTimestamp: null },
    versions: group.versions.map(v => ({
      version: v,
      freshness: 'Current',
      resources: registry
        .all()
        .filter(r => r.group === group.name && r.version === v)
        .map(aggregatedResource),
    })),
  }))
  const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  return json({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items }, 200, {
    'content-type': type,
    vary: 'Accept',
  })
}

function aggregatedResource(r: Resource) {
  return {
    resource: r.plural,
    responseKind: { group: r.group, version: r.version, kind: r.kind },
    scope: r.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: r.singular,
    verbs: r.verbs,
    ...(r.shortNames.length > 0 ? { shortNames: r.shortNames } : {}),
    ...(r.categories.length > 0 ? { categories: r.categories } : {}),
    ...(r.subresources.length === 0
      ? {}
      : {
          subresources: r.subresources.map(s => ({
            subresource: s.name,
            responseKind: { group: s.group ?? r.group, version: s.version ?? r.version, kind: s.kind },
            verbs: s.verbs,
          })),
        }),
  }
}
