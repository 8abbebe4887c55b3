import type { KubeObject } from '../core/object.ts'
import { isAtLeast } from './revision.ts'

/** Tells the events that our own commits caused from everybody else's: only those whose revision is that of the answer. */
export interface Echoes {
  /** A commit to the object is under way: its events are held until the answer is known. Call the result with the answer's revision. */
  writing(key: string): (revision: string | undefined) => void
  /** Whether an event is none to wake up for: an echo, or held for now. */
  swallows(key: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): boolean
  forget(key: string): void
}

/** `woken` is called for a key whose held events were not all our own. */
export function openEchoes(woken: (key: string) => void): Echoes {
  const held = new Map<string, string[]>()
  const expected = new Map<string, Set<string>>()

  return {
    writing(key) {
      held.set(key, held.get(key) ?? [])
      return revision => {
        const events = held.get(key) ?? []
        held.delete(key)
        if (events.some(event => event !== revision)) woken(key)
        if (revision === undefined || events.includes(revision)) return
        const revisions = expected.get(key)
        if (revisions) revisions.add(revision)
        else expected.set(key, new Set([revision]))
      }
    },
    swallows(key, type, { metadata: { resourceVersion = '' } }) {
      const events = held.get(key)
      if (events) {
        events.push(type === 'DELETED' ? 'DELETED' : resourceVersion)
        return true
      }
      const revisions = expected.get(key)
      if (!revisions) return false
      const ours = type !== 'DELETED' && revisions.has(resourceVersion)
      for (const revision of revisions) if (isAtLeast(resourceVersion, revision)) revisions.delete(revision)
      revisions.delete(resourceVersion)
      if (revisions.size === 0) expected.delete(key)
      return ours
    },
    forget: key => expected.delete(key),
  }
}
