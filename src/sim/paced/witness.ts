import type { KubeObject } from '../../core/object.ts'
import type { Kube, ResourceRef } from '../../ports/index.ts'
import type { Traffic } from './traffic.ts'

/** Watches everything that the processes watch, for those who judge them: what there is, and how far the caches should be. */
export interface Witness {
  objects(of: ResourceRef): readonly KubeObject[]
  /** The newest revision told of this resource. */
  revision(resource: string): string | undefined
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
  const told = new Map(kinds.map(({ plural }) => [plural, { objects: new Map(), revision: undefined, complete: false } as Told]))
  const watching = Promise.all(kinds.map(of => watch(of, told.get(of.plural)!)))

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
        if (event.type === 'DELETED' || metadata.deletionTimestamp !== undefined) traffic.removals.delete(`${of.plural} ${key}`)
        known.revision = metadata.resourceVersion ?? known.revision
      }
    }
  }

  function waits(): string | undefined {
    for (const [plural, { complete, revision, objects }] of told) {
      if (!complete) return `the ${plural} have not been told yet`
      const written = traffic.written(plural)
      if (written !== undefined && isBehind(revision, written)) return `${plural} are told up to ${revision}, and written up to ${written}`
      for (const { metadata } of objects.values())
        if (metadata.deletionTimestamp !== undefined && !metadata.finalizers?.some(ours))
          return `${plural} ${metadata.name} is being removed by somebody else (${metadata.finalizers?.join(', ') ?? 'no finalizer'})`
    }
    const [removal] = [...traffic.removals].filter(([, resource]) => told.has(resource))
    return removal && `${removal[0]} was removed, which nobody has told yet`
  }

  return {
    objects: of => [...(told.get(of.plural)?.objects.values() ?? [])],
    revision: resource => told.get(resource)?.revision,
    waits,
    async close() {
      over.abort(new Error('the story is over'))
      await watching
    },
  }
}

/** Revisions of one resource, as decimal texts of any length. */
export function isBehind(a: string | undefined, b: string): boolean {
  if (a === undefined) return true
  return a.length === b.length ? a < b : a.length < b.length
}
