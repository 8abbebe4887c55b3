import { seconds } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, Index, KubeEvent, Log, ResourceRef, Watcher } from '../ports/index.ts'
import { type Cache, openCache } from './cache.ts'
import { openKeeper } from './kept.ts'
import { keyText, resourceText } from './keys.ts'
import { isOlder } from './revision.ts'

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly key: string
  /** As it is now; for DELETED, as it was last. */
  readonly object: KubeObject
  readonly before: KubeObject | undefined
}

export interface InformerListener {
  changed(change: Change): void
  /** Everything up to `revision` is in the cache; `whole` after the state was told from the beginning. */
  reached(revision: string, whole: boolean): void
}

/** Keeps one resource's cache, for every controller of the process. */
export interface Informer {
  readonly of: ResourceRef
  readonly cache: Cache
  /** The whole state was told once; the cache can be read. */
  readonly ready: boolean
  /** Nothing is missing for now: no state is being told again. */
  readonly complete: boolean
  readonly revision: string | undefined
  /** Why nothing is heard, while that is so. */
  readonly interrupted: string | undefined
  listen(listener: InformerListener): void
  /** Begins again with the whole state. */
  relist(because: string): void
  /** Until the signal fires. */
  run(signal: AbortSignal): Promise<void>
}

export function openInformer(
  ports: { readonly kube: Watcher; readonly clock: Clock; readonly log: Log },
  of: ResourceRef,
  indexes: readonly Index[],
): Informer {
  const { kube, clock, log } = ports
  const name = resourceText(of)
  const cache = openCache(
    name,
    indexes.map(index => guarded(index, log)),
  )
  const kept = openKeeper()
  const listeners: InformerListener[] = []
  /** The keys told so far of a state that is being told; undefined between states. */
  let telling: Set<string> | undefined = new Set()
  let ready = false
  let revision: string | undefined
  let interrupted: string | undefined
  let round = new AbortController()

  const tell = (change: Change): void => {
    for (const listener of listeners) listener.changed(change)
  }

  function put(given: KubeObject): void {
    const key = keyText(given.metadata)
    telling?.add(key)
    const before = cache.get(key)
    const { uid, resourceVersion } = given.metadata
    if (before?.metadata.uid === uid && before !== undefined) {
      if (before.metadata.resourceVersion === resourceVersion) return
      // A repeated event of the past. A state told anew is believed even so: the server may have been restored.
      if (!telling && isOlder(resourceVersion, before.metadata.resourceVersion)) return
    }
    const object = kept(given)
    cache.put(key, object)
    // Deleted and made again under the same name while nobody told us: two events, as it happened.
    const again = before !== undefined && before.metadata.uid !== uid
    if (again) tell({ type: 'DELETED', key, object: before, before })
    tell({ type: before && !again ? 'MODIFIED' : 'ADDED', key, object, before: again ? undefined : before })
  }

  function remove(key: string, last: KubeObject): void {
    const before = cache.get(key)
    if (before && before.metadata.uid !== last.metadata.uid && isOlder(last.metadata.resourceVersion, before.metadata.resourceVersion))
      return
    cache.remove(key)
    tell({ type: 'DELETED', key, object: last, before })
  }

  function take(event: KubeEvent<KubeObject>): void {
    if (event.type !== 'INTERRUPTED') interrupted = undefined
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        put(event.object)
        break
      case 'DELETED':
        telling?.delete(keyText(event.object.metadata))
        remove(keyText(event.object.metadata), kept(event.object))
        break
      case 'BOOKMARK':
        if (event.complete) finish()
        revision = event.revision
        for (const listener of listeners) listener.reached(event.revision, event.complete)
        return
      case 'RELIST':
        log.info('The state is told again', { resource: name, because: event.because })
        telling = new Set()
        return
      case 'INTERRUPTED':
        interrupted = event.because
        log.warn('Nothing is heard of a resource', { resource: name, because: event.because, againMs: event.again })
        return
      default:
        event satisfies never
    }
    if (!telling) revision = event.object.metadata.resourceVersion ?? revision
  }

  /** What was not told again is gone. */
  function finish(): void {
    const told = telling
    telling = undefined
    ready = true
    if (!told || cache.size === told.size) return
    for (const key of [...cache.keys()]) if (!told.has(key)) remove(key, cache.get(key)!)
  }

  return {
    of,
    cache,
    get ready() {
      return ready
    },
    get complete() {
      return ready && telling === undefined && interrupted === undefined
    },
    get revision() {
      return revision
    },
    get interrupted() {
      return interrupted
    },
    listen: listener => listeners.push(listener),
    relist(because) {
      log.warn('A cache is read anew', { resource: name, because })
      round.abort(new Error(because))
    },
    async run(signal) {
      const stop = (): void => round.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      while (!signal.aborted) {
        round = new AbortController()
        telling = new Set()
        try {
          for await (const batch of kube.watch(of, of.part ?? {}, round.signal)) {
            if (round.signal.aborted) break
            for (const event of batch) take(event)
          }
          if (!round.signal.aborted) throw new Error('the watch ended although nobody asked it to')
        } catch (error) {
          if (signal.aborted) return
          if (round.signal.aborted) continue
          // A watch that throws is a mistake of ours (a client that gives up, an index that throws): say so, and go on.
          interrupted = error instanceof Error ? error.message : String(error)
          log.error('A watch failed', { resource: name, because: interrupted })
          await clock.sleep(seconds(1), signal).catch(() => {})
        }
      }
    },
  }
}

/** An object that an index cannot read is under no value: one odd object must not keep all the others from being known. */
const guarded = (index: Index, log: Log): Index => ({
  ...index,
  values(object) {
    try {
      return index.values(object)
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error)
      log.error('An index cannot read an object', { index: index.name, object: keyText(object.metadata), because })
      return []
    }
  },
})
