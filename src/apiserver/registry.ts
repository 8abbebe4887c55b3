import { ApiError } from '../api/status.ts'
import { qualified, type Resource, resourceName } from './resource.ts'

/** Which resources are served. Built-in kinds stay; those of CRDs come and go while the server runs. */
export interface Registry {
  /** Rises with every change; discovery and OpenAPI documents are cached by it. */
  readonly generation: number
  all(): readonly Resource[]
  find(group: string, version: string, plural: string): Resource | undefined
  /** The preferred version of a kind, for owner references and garbage collection. */
  byKind(apiVersion: string, kind: string): Resource | undefined
  /** Replaces everything that one CRD serves; an empty list removes it. */
  set(crd: string, resources: readonly Resource[]): void
  /** Called with the resources that are no longer served as they were, so that their watches end. */
  onReplaced(listener: (gone: readonly Resource[]) => void): () => void
}

export function openRegistry(builtin: readonly Resource[]): Registry {
  const custom = new Map<string, readonly Resource[]>()
  const listeners = new Set<(gone: readonly Resource[]) => void>()
  let generation = 1
  let everything: readonly Resource[] = builtin
  let byPath = index(everything)
  return {
    get generation() {
      return generation
    },
    all: () => everything,
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
    byKind: (apiVersion, kind) => {
      const [group, version] = splitApiVersion(apiVersion)
      return (
        everything.find(r => r.group === group && r.kind === kind && r.version === version) ??
        everything.find(r => r.group === group && r.kind === kind)
      )
    },
    set(crd, resources) {
      const gone = custom.get(crd) ?? []
      if (resources.length > 0) custom.set(crd, resources)
      else custom.delete(crd)
      everything = [...builtin, ...[...custom.keys()].sort().flatMap(name => custom.get(name) ?? [])]
      byPath = index(everything)
      generation += 1
      for (const listener of listeners) listener(gone)
    },
    onReplaced(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const index = (resources: readonly Resource[]): Map<string, Resource> =>
  new Map(resources.map(r => [`${r.group}/${r.version}/${r.plural}`, r]))

export function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

/** One resource per place in the world, whatever the number of versions that show it. */
export function storedResources(registry: Registry): readonly Resource[] {
  const seen = new Map<string, Resource>()
  for (const r of registry.all()) if (r.verbs.includes('list') && !r.storage && !seen.has(resourceName(r))) seen.set(resourceName(r), r)
  return [...seen.values()]
}

export const notFound = (r: Resource, name: string): ApiError =>
  new ApiError('NotFound', `${qualified(r)} "${name}" not found`, { name, ...(r.group ? { group: r.group } : {}), kind: r.plural })

export const conflict = (r: Resource, name: string, why: string): ApiError =>
  new ApiError('Conflict', `Operation cannot be fulfilled on ${qualified(r)} "${name}": ${why}`, {
    name,
    ...(r.group ? { group: r.group } : {}),
    kind: r.plural,
  })
