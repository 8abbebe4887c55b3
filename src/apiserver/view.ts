import type { KubeObject } from '../core/object.ts'
import { utf8 } from './answer.ts'
import type { Resource } from './resource.ts'
import type { Schemas } from './schemas.ts'
import type { Entry } from './world/world.ts'

/** How stored entries look through one served resource: usually as they are, byte for byte. */
export interface Views {
  of(resource: Resource, entry: Entry): View
}

export interface View {
  readonly bytes: Uint8Array
  readonly object: KubeObject
}

/**
 * Bytes are shown as stored unless the resource shows another version, or its schema is newer than the entry
 * (new defaults appear and removed fields vanish on reads, as Kubernetes does). Such views are made once per entry.
 */
export function openViews(schemas: Schemas): Views {
  const made = new WeakMap<Resource, WeakMap<Entry, View>>()
  return {
    of(resource, entry) {
      const outdated = resource.since !== undefined && entry.revision < resource.since
      if (!resource.storage && !outdated) return entry
      const known = made.get(resource) ?? new WeakMap<Entry, View>()
      made.set(resource, known)
      let view = known.get(entry)
      if (!view) {
        let object = resource.storage ? resource.storage.decode(entry.object) : entry.object
        if (outdated) object = schemas.of(resource).refresh(object)
        view = object === entry.object ? entry : { object, bytes: utf8(JSON.stringify(object)) }
        known.set(entry, view)
      }
      return view
    },
  }
}
