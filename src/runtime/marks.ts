import { seconds } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock } from '../ports/index.ts'
import type { Informer } from './informer.ts'
import { compareRevisions, isAtLeast } from './revision.ts'

/** What a cache must show of one object before it may be read again: our write, or anything but what proved stale. */
export type Need = { readonly atLeast: string } | { readonly otherThan: string }

/** What one controller wrote to one resource and its cache does not show yet. */
export interface Marks {
  readonly size: number
  has(key: string): boolean
  /** Nothing that reads this object goes on before the cache shows it. */
  require(key: string, need: Need): void
  stop(): void
}

/** A cache that shows a write only after this long has lost its watch without knowing: it is read anew. */
const patience = seconds(30)

/** `cleared` is called with each key whose marks are gone. */
export function openMarks(clock: Clock, informer: Informer, cleared: (key: string) => void): Marks {
  const needs = new Map<string, Need>()
  /** Those for which the state is being read anew: whatever it shows then is the truth. */
  let doubted: ReadonlyMap<string, Need> | undefined
  let cancel: (() => void) | undefined

  function clear(key: string): void {
    needs.delete(key)
    if (needs.size === 0) stop()
    cleared(key)
  }

  function stop(): void {
    cancel?.()
    cancel = undefined
  }

  function arm(): void {
    cancel ??= clock.after(patience, () => {
      cancel = undefined
      if (needs.size === 0) return
      doubted = new Map(needs)
      informer.relist(`a write of our own does not show after ${patience / 1_000} seconds`)
      arm()
    })
  }

  informer.listen({
    changed({ key, type, object }) {
      const need = needs.get(key)
      if (need && shows(need, type === 'DELETED', object)) clear(key)
    },
    reached(revision, whole) {
      for (const [key, need] of needs) {
        const believed = whole && doubted?.get(key) === need
        if (believed || ('atLeast' in need && isAtLeast(revision, need.atLeast))) clear(key)
      }
      if (whole) doubted = undefined
    },
  })

  return {
    get size() {
      return needs.size
    },
    has: key => needs.has(key),
    require(key, need) {
      // Everything up to the informer's revision was told, deletions too.
      if ('atLeast' in need && isAtLeast(informer.revision, need.atLeast)) return
      const cached = informer.cache.get(key)
      if (cached ? shows(need, false, cached) : 'otherThan' in need) return
      const known = needs.get(key)
      if (known && 'atLeast' in known && 'atLeast' in need && (compareRevisions(known.atLeast, need.atLeast) ?? -1) >= 0) return
      // Of a write and a conflict the write says more.
      if (known && 'atLeast' in known && 'otherThan' in need) return
      needs.set(key, need)
      arm()
    },
    stop,
  }
}

function shows(need: Need, gone: boolean, { metadata: { resourceVersion } }: KubeObject): boolean {
  if ('otherThan' in need) return gone || resourceVersion !== need.otherThan
  // An older life of the same name may end after we made the next one.
  if (gone && resourceVersion !== undefined)
    return compareRevisions(resourceVersion, need.atLeast) !== undefined ? isAtLeast(resourceVersion, need.atLeast) : true
  return isAtLeast(resourceVersion, need.atLeast)
}
