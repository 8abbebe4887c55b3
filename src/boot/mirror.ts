import { seconds } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, KubeEvent, Log, ResourceRef, Watcher } from '../ports/index.ts'
import { isOlder } from './revision.ts'

export interface MirrorListener<T> {
  /** `live`: it happened just now; otherwise it was found when the state was told. */
  put(object: T, live: boolean): void
  removed(object: T): void
}

/** All objects of a resource as they were last told. While nobody tells anything, what was told stands. */
export interface Mirror<T> {
  readonly of: ResourceRef
  /** The whole state was told once. */
  readonly ready: boolean
  /** Nothing is missing for now. */
  readonly complete: boolean
  readonly revision: string | undefined
  get(key: { readonly namespace?: string; readonly name: string }): T | undefined
  all(): Iterable<T>
  /** Takes in what was read elsewhere, unless it is older. */
  take(object: T): void
  run(signal: AbortSignal): Promise<void>
}

const keyOf = ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string => `${namespace}/${name}`

export function openMirror<T extends KubeObject>(
  ports: { readonly kube: Watcher; readonly clock: Clock; readonly log: Log },
  of: ResourceRef<T>,
  listener: MirrorListener<T>,
): Mirror<T> {
  const { kube, clock, log } = ports
  const objects = new Map<string, T>()
  /** What was told so far of a state that is being told; undefined between states. */
  let telling: Set<string> | undefined = new Set()
  let [ready, interrupted] = [false, false]
  let revision: string | undefined

  function put(object: T): void {
    const key = keyOf(object.metadata)
    telling?.add(key)
    const before = objects.get(key)
    const same = before?.metadata.uid === object.metadata.uid
    if (before && same && !telling && isOlder(object.metadata.resourceVersion, before.metadata.resourceVersion)) return
    objects.set(key, object)
    if (before && !same) listener.removed(before)
    listener.put(object, telling === undefined)
  }

  function remove(key: string): void {
    const before = objects.get(key)
    if (!before) return
    objects.delete(key)
    listener.removed(before)
  }

  function hear(event: KubeEvent<T>): void {
    interrupted = event.type === 'INTERRUPTED'
    if (event.type === 'ADDED' || event.type === 'MODIFIED') put(event.object)
    else if (event.type === 'DELETED') {
      telling?.delete(keyOf(event.object.metadata))
      remove(keyOf(event.object.metadata))
    } else if (event.type === 'RELIST') telling = new Set()
    else if (event.type === 'BOOKMARK') {
      if (event.complete) finish()
      revision = event.revision
      return
    } else if (event.type === 'INTERRUPTED')
      log.warn('The boot server hears nothing of a resource', { resource: of.plural, because: event.because })
    if ('object' in event && !telling) revision = event.object.metadata.resourceVersion ?? revision
  }

  /** What was not told again is gone. */
  function finish(): void {
    const told = telling
    telling = undefined
    ready = true
    if (told) for (const key of [...objects.keys()]) if (!told.has(key)) remove(key)
  }

  return {
    of,
    get ready() {
      return ready
    },
    get complete() {
      return ready && telling === undefined && !interrupted
    },
    get revision() {
      return revision
    },
    get: key => objects.get(keyOf(key)),
    all: () => objects.values(),
    take(object) {
      const before = objects.get(keyOf(object.metadata))
      if (before && !isOlder(before.metadata.resourceVersion, object.metadata.resourceVersion)) return
      objects.set(keyOf(object.metadata), object)
      if (before && before.metadata.uid !== object.metadata.uid) listener.removed(before)
      listener.put(object, true)
    },
    async run(signal) {
      while (!signal.aborted) {
        telling = new Set()
        try {
          for await (const batch of kube.watch(of, {}, signal)) for (const event of batch) hear(event)
        } catch (error) {
          if (signal.aborted) return
          interrupted = true
          log.error('A watch of the boot server failed', { resource: of.plural, because: String(error) })
          await clock.sleep(seconds(1), signal).catch(() => {})
        }
      }
    },
  }
}
