import { ApiError } from '../api/status.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Cached, ControllerKube, Kube, ObjectKey, ResourceRef } from '../ports/index.ts'
import type { Informer } from './informer.ts'
import { keyText, resourceText } from './keys.ts'
import type { Marks } from './marks.ts'

/** What a controller's view of the API stands on; the maps fill while the controllers are put together. */
export interface Grounds {
  readonly kube: Kube
  /** Throws where this process may not act. */
  readonly mayAct: () => void
  /** What this controller may read from caches: its own kind, and what it watches. */
  readonly informers: ReadonlyMap<string, Informer>
  /** What it watches: only of these it hears of every object's changes. */
  readonly watched: ReadonlySet<string>
  readonly marks: ReadonlyMap<string, Marks>
}

/** Reads from the caches; writes that are remembered until the caches show them, and that only the leader makes. */
export function controllerKube(grounds: Grounds): ControllerKube {
  const { kube, mayAct } = grounds
  const wrote = <T extends KubeObject>(of: ResourceRef, object: T): T => {
    const { resourceVersion } = object.metadata
    if (resourceVersion !== undefined) grounds.marks.get(resourceText(of))?.require(keyText(object.metadata), { atLeast: resourceVersion })
    return object
  }
  return {
    cached: cachedBy(grounds),
    fresh: (of, key, signal) => kube.find(of, key, signal ? { signal } : {}),
    async freshList(of, where, signal) {
      try {
        return (await kube.list(of, where, signal ? { signal } : {})).items
      } catch (error) {
        if (of.optional && error instanceof ApiError && error.code === 404) return []
        throw error
      }
    },
    async create(of, object, options) {
      mayAct()
      return wrote(of, await kube.create(of, object, options))
    },
    async update(of, object, options) {
      mayAct()
      return wrote(of, await kube.update(of, object, options))
    },
    async patch(of, key, patch, options) {
      mayAct()
      return wrote(of, await kube.patch(of, key, patch, options))
    },
    async delete(of, key, options) {
      mayAct()
      await kube.delete(of, key, options)
      const known = grounds.informers.get(resourceText(of))?.cache.get(keyText(key))?.metadata
      // An object that is being deleted already does not change by being deleted once more.
      if (known?.resourceVersion === undefined || known.deletionTimestamp !== undefined) return
      grounds.marks.get(resourceText(of))?.require(keyText(key), { otherThan: known.resourceVersion })
    },
    async call(of, key, subresource, body, options) {
      mayAct()
      return kube.call(of, key, subresource, body, options)
    },
  }
}

function cachedBy({ informers, watched }: Grounds): Cached {
  // Controllers name a resource by one object for all their life: its cache is looked up once.
  const known = { one: new WeakMap<ResourceRef, Informer['cache']>(), many: new WeakMap<ResourceRef, Informer['cache']>() }
  const cacheOf = (of: ResourceRef, many: boolean): Informer['cache'] => {
    const found = (many ? known.many : known.one).get(of)
    if (found) return found
    const cache = find(of, many)
    ;(many ? known.many : known.one).set(of, cache)
    return cache
  }
  const find = (of: ResourceRef, many: boolean): Informer['cache'] => {
    const name = resourceText(of)
    const informer = informers.get(name)
    if (informer && (!many || watched.has(name))) return informer.cache
    throw new Fault(
      'runtime/not-watched',
      `Cannot read ${many ? 'several ' : ''}${name} from a cache: the controller does not watch them`,
      'never',
      {
        hint: 'Name the kind in `watches`, so that changes of what was read wake the controller too.',
      },
    )
  }
  return {
    get: <T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey) => cacheOf(of, false).get(keyText(key)) as T | undefined,
    list: <T extends KubeObject>(of: ResourceRef<T>, namespace?: string) => cacheOf(of, true).list(namespace) as readonly T[],
    by: <T extends KubeObject>(of: ResourceRef<T>, index: string, value: string) => cacheOf(of, true).by(index, value) as readonly T[],
  }
}
