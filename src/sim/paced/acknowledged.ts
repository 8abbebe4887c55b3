import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { isBehind } from './revision.ts'

/**
 * What the server has answered to writes. A watch tells of a write some time after its answer, and whoever judges a process must know at
 * least what the process knows: so the answers count from the moment they are there.
 */
export interface Acknowledged {
  /** An answer to a write of this object; the uid of what it says is gone, or asked to go. */
  note(resource: string, key: string, method: string, answer: unknown): string | undefined
  /** What there is: the told objects, and laid over them what was answered since. */
  over(resource: string, told: ReadonlyMap<string, KubeObject>, revision: string | undefined): readonly KubeObject[]
}

export function openAcknowledged(): Acknowledged {
  const answered = new Map<string, Map<string, KubeObject>>()
  /** Objects that are gone by the server's own word. */
  const gone = new Set<string>()

  return {
    note(resource, key, method, answer) {
      const known = answered.get(resource) ?? new Map<string, KubeObject>()
      answered.set(resource, known)
      const object = objectOf(answer)
      if (!object) {
        const uid = method === 'DELETE' ? (uidOf(answer) ?? known.get(key)?.metadata.uid) : undefined
        if (uid !== undefined) gone.add(uid)
        return uid
      }
      const { name, namespace, uid = '', deletionTimestamp, finalizers = [] } = object.metadata
      // The last finalizer goes, and the object with it: a patch can be a removal.
      const isGone = deletionTimestamp !== undefined && finalizers.length === 0
      if (isGone) gone.add(uid)
      const of = namespace === undefined ? name : `${namespace}/${name}`
      const before = known.get(of)?.metadata.resourceVersion
      if (isBehind(before, object.metadata.resourceVersion ?? '')) known.set(of, object)
      return isGone || method === 'DELETE' ? uid : undefined
    },
    over(resource, told, revision) {
      const all = new Map(told)
      for (const [key, object] of answered.get(resource) ?? [])
        if (isBehind(revision, object.metadata.resourceVersion ?? '')) all.set(key, object)
      return [...all.values()].filter(({ metadata }) => !gone.has(metadata.uid ?? ''))
    },
  }
}

/** The object of an answer; a Status and a review are none. */
function objectOf(answer: unknown): KubeObject | undefined {
  const metadata = isObject(answer) && isObject(answer['metadata']) ? answer['metadata'] : {}
  return typeof metadata['uid'] === 'string' && typeof metadata['resourceVersion'] === 'string' ? (answer as KubeObject) : undefined
}

/** Whom a Status speaks of. */
function uidOf(answer: unknown): string | undefined {
  const details = isObject(answer) && isObject(answer['details']) ? answer['details'] : {}
  return typeof details['uid'] === 'string' ? details['uid'] : undefined
}
