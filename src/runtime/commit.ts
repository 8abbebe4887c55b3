import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import { keyText } from './keys.ts'
import type { Failure, Ground } from './result.ts'
import { faultPatch, type Patch } from './status.ts'

/** Writes the status, refused unless the object is still the one that was seen. Returns it as it is then. */
export async function commit({ kube, reconciler, echoes, status }: Ground, object: KubeObject, patch: Patch): Promise<KubeObject> {
  const { name, namespace, uid, resourceVersion } = object.metadata
  const key = namespace === undefined ? { name } : { name, namespace }
  const answered = echoes.writing(keyText(key))
  let revision: string | undefined
  try {
    const metadata = { resourceVersion, uid }
    const committed = await kube.patch(reconciler.kind, key, { merge: { metadata, status: patch } }, { subresource: 'status' })
    revision = committed.metadata.resourceVersion
    const kept = committed['status']
    if (patch['observedGeneration'] !== undefined && isObject(kept) && kept['observedGeneration'] === undefined)
      status.hasGeneration = false
    return committed
  } finally {
    answered(revision)
  }
}

/** Tells of a fault in the object's status, if it does not say so yet: the one second write. False where that did not work. */
export async function commitFault(ground: Ground, { object, fault }: Failure): Promise<boolean> {
  const patch = faultPatch(object, fault, ground.clock.now(), ground.status.told)
  if (!patch) return true
  try {
    ground.mayAct()
    await commit(ground, object, patch)
    return true
  } catch {
    return false
  }
}
