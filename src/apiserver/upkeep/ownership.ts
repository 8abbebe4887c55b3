import type { Entry } from '../world/world.ts'

/** Who belongs to whom: owner uid → the newest entries of its dependents. */
export interface Ownership {
  /** Takes in one change; `entry` undefined means the object is gone. */
  note(entry: Entry | undefined, previous: Entry | undefined): void
  dependents(ownerUid: string | undefined): readonly Entry[]
}

export function openOwnership(): Ownership {
  const byOwner = new Map<string, Map<string, Entry>>()
  const id = (entry: Entry): string => `${entry.resource} ${entry.key}`
  return {
    note(entry, previous) {
      for (const { uid } of previous?.object.metadata.ownerReferences ?? []) {
        const known = byOwner.get(uid)
        known?.delete(id(previous as Entry))
        if (known?.size === 0) byOwner.delete(uid)
      }
      for (const { uid } of entry?.object.metadata.ownerReferences ?? []) {
        const known = byOwner.get(uid) ?? new Map<string, Entry>()
        known.set(id(entry as Entry), entry as Entry)
        byOwner.set(uid, known)
      }
    },
    dependents: uid => (uid === undefined ? [] : [...(byOwner.get(uid)?.values() ?? [])]),
  }
}
