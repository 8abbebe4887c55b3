import type { KubeObject } from '../../core/object.ts'
import { parseSelector, selects } from '../../core/selector.ts'
import type { Kube, ResourceRef, Where } from '../../ports/index.ts'
import { isBehind } from './revision.ts'
import type { Traffic } from './traffic.ts'

/** Watches everything that the processes watch, for those who judge them: what there is, and how far the caches should be. */
export interface Witness {
  /** By the server's answers and its watches, whichever knows more. */
  objects(of: ResourceRef): readonly KubeObject[]
  /** How far a cache of this resource, or of a part of it, should be; undefined where nothing is known of it. */
  due(of: ResourceRef): string | undefined
  watches(of: ResourceRef): boolean
  /** Why it does not know everything yet, or what is being removed by somebody else. */
  waits(): string | undefined
  close(): Promise<void>
}

export interface WitnessOptions {
  readonly kube: Kube
  readonly kinds: readonly ResourceRef[]
  readonly traffic: Traffic
  /** Finalizers of the processes under test: who holds one of these is not waited for. */
  ours(finalizer: string): boolean
}

interface Told {
  readonly objects: Map<string, KubeObject>
  revision: string | undefined
  complete: boolean
}

export function openWitness({ kube, kinds, traffic, ours }: WitnessOptions): Witness {
  const over = new AbortController()
  const told = new Map(kinds.map(of => [nameOf(of), { objects: new Map(), revision: undefined, complete: false } as Told]))
  /** Every object there ever was: an owner that is not among them may live where nobody looks. */
  const uids = new Set<string>()
  /** Those of whose removal was told. */
  const leftAlready = new Set<string>()
  const watching = Promise.all(kinds.map(of => watch(of, told.get(nameOf(of))!)))

  async function watch(of: ResourceRef, known: Told): Promise<void> {
    for await (const batch of kube.watch(of, {}, over.signal)) {
      for (const event of batch) {
        if (event.type === 'RELIST') known.objects.clear()
        if (event.type === 'BOOKMARK') {
          known.complete ||= event.complete
          known.revision ??= event.revision
        }
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED') continue
        const { metadata } = event.object
        const key = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
        if (event.type === 'DELETED') known.objects.delete(key)
        else known.objects.set(key, event.object)
        uids.add(metadata.uid ?? '')
        if (event.type === 'DELETED' || isHeld(metadata)) leftAlready.add(metadata.uid ?? '')
        known.revision = metadata.resourceVersion ?? known.revision
      }
    }
  }

  /** Everything that is being removed by somebody who does not know of our time. */
  function leaving(): string | undefined {
    const here = new Set([...told.values()].flatMap(({ objects }) => [...objects.values()].map(({ metadata }) => metadata.uid ?? '')))
    const isGone = (uid: string): boolean => uids.has(uid) && !here.has(uid)
    for (const [name, { objects }] of told)
      for (const { metadata } of objects.values()) {
        const { deletionTimestamp, finalizers, ownerReferences: owners = [] } = metadata
        if (deletionTimestamp !== undefined && !finalizers?.some(ours))
          return `${name} ${metadata.name} is being removed by somebody else (${finalizers?.join(', ') ?? 'no finalizer'})`
        if (deletionTimestamp === undefined && owners.length > 0 && owners.every(({ uid }) => isGone(uid)))
          return `${name} ${metadata.name} has lost its owner, and has not been collected yet`
      }
    return undefined
  }

  function waits(): string | undefined {
    for (const [name, { complete, revision }] of told) {
      if (!complete) return `${name} have not been told yet`
      const written = traffic.written(name)
      if (written !== undefined && isBehind(revision, written)) return `${name} are told up to ${revision}, and written up to ${written}`
    }
    for (const [uid, { resource, key }] of traffic.removals) {
      if (leftAlready.has(uid) || !told.has(resource)) traffic.removals.delete(uid)
      else return `${resource} ${key} was removed, which nobody has told yet`
    }
    return leaving()
  }

  return {
    objects(of) {
      const { objects, revision } = told.get(nameOf(of)) ?? { objects: new Map(), revision: undefined }
      return traffic.acknowledged.over(nameOf(of), objects, revision)
    },
    due(of) {
      const known = told.get(nameOf(of))
      const { part } = of
      if (!known || !part) return known?.revision
      // Of a part nobody tells how far it is: it is as far as the newest object in it.
      let newest: string | undefined
      for (const { metadata } of known.objects.values())
        if (isPart(part, metadata) && isBehind(newest, metadata.resourceVersion ?? '')) newest = metadata.resourceVersion
      return newest
    },
    watches: of => told.has(nameOf(of)),
    waits,
    async close() {
      over.abort(new Error('the story is over'))
      await watching
    },
  }
}

const nameOf = ({ group, plural }: ResourceRef): string => `${group}/${plural}`

const isHeld = ({ deletionTimestamp, finalizers = [] }: KubeObject['metadata']): boolean =>
  deletionTimestamp !== undefined && finalizers.length > 0

function isPart({ namespace, labels, fields }: Where, metadata: KubeObject['metadata']): boolean {
  if (namespace !== undefined && metadata.namespace !== namespace) return false
  if (fields !== undefined && fields !== `metadata.name=${metadata.name}`) return false
  return labels === undefined || selects(parseSelector(labels), metadata.labels)
}
