import { seconds } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock } from '../ports/index.ts'
import type { Informer } from './informer.ts'
import { isAtLeast, isOlder } from './revision.ts'

/** What a cache must show of one object before it may be read again: our write (or newer), and nothing that proved stale. */
export interface Need {
  readonly atLeast?: string
  readonly otherThan?: string
}

/** What one controller wrote to one resource and its cache does not show yet. */
export interface Marks {
  readonly size: number
  has(key: string): boolean
  /** Nothing that reads this object goes on before the cache shows it. */
  require(key: string, need: Need): void
  /** Waits for nothing any more, whatever a look that still runs writes: a timer would keep the process. */
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
  let stopped = false

  function clear(key: string): void {
    needs.delete(key)
    if (needs.size === 0) disarm()
    cleared(key)
  }

  function disarm(): void {
    cancel?.()
    cancel = undefined
  }

  function arm(): void {
    if (stopped) return
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
        const told = need.otherThan === undefined && need.atLeast !== undefined && isAtLeast(revision, need.atLeast)
        if (believed || told) clear(key)
      }
      if (whole) doubted = undefined
    },
  })

  function shownAlready(key: string, need: Need): boolean {
    const cached = informer.cache.get(key)
    if (cached) return shows(need, false, cached)
    // Everything up to the informer's revision was told, deletions too.
    return need.atLeast === undefined || isAtLeast(informer.revision, need.atLeast)
  }

  return {
    get size() {
      return needs.size
    },
    has: key => needs.has(key),
    require(key, need) {
      const wanted = { ...needs.get(key), ...need }
      const before = needs.get(key)?.atLeast
      if (before !== undefined && (need.atLeast === undefined || isAtLeast(before, need.atLeast))) wanted.atLeast = before
      if (shownAlready(key, wanted)) return
      needs.set(key, wanted)
      arm()
    },
    stop() {
      stopped = true
      disarm()
    },
  }
}

function shows({ atLeast, otherThan }: Need, gone: boolean, { metadata: { resourceVersion } }: KubeObject): boolean {
  if (!gone && otherThan !== undefined && resourceVersion === otherThan) return false
  if (atLeast === undefined || isAtLeast(resourceVersion, atLeast)) return true
  // The end of an older life of the same name says nothing about the one that we made; of revisions that are no numbers, nobody can tell.
  return gone && !isOlder(resourceVersion, atLeast)
}
