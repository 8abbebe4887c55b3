import type { KubeObject } from '../core/object.ts'
import type { Log, ObjectKey, Watch } from '../ports/index.ts'
import type { Cache } from './cache.ts'
import type { Change } from './informer.ts'
import { keyText, resourceText } from './keys.ts'

/** The keys that a change of another object concerns: by how it is, and by how it was before. */
export function wokenKeys(watch: Watch, own: Cache, log: Log, { key, object, before }: Change): ReadonlySet<string> {
  const keys = new Set<string>()
  const everything = () => own.list(undefined)
  for (const state of before === undefined || before === object ? [object] : [before, object]) {
    try {
      for (const woken of watch.wakes === 'owner' ? owners(own, state) : watch.wakes(state, everything)) keys.add(keyText(woken))
    } catch (error) {
      // One odd object must not silence all the others.
      const because = error instanceof Error ? error.message : String(error)
      log.error('Cannot tell whom a change concerns', { resource: resourceText(watch.of), object: key, because })
    }
  }
  return keys
}

/** By uid, as two objects of one name may have lived one after the other. */
function owners(own: Cache, { metadata: { namespace, ownerReferences = [] } }: KubeObject): readonly ObjectKey[] {
  return ownerReferences
    .flatMap(({ name, uid }) =>
      [own.get(name), namespace === undefined ? undefined : own.get(`${namespace}/${name}`)].filter(o => o?.metadata.uid === uid),
    )
    .map(owner => owner!.metadata)
}
