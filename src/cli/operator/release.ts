import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Kube, ResourceRef } from '../../ports/index.ts'

/** Takes our finalizers off every object of a kind, so that it can be deleted with nobody there to do it. Others' stay. */
export async function releaseFinalizers(kube: Pick<Kube, 'list' | 'find' | 'patch'>, of: ResourceRef): Promise<number> {
  let freed = 0
  const { items } = await kube.list(of).catch(error => {
    if (ApiError.is(error, 'NotFound')) return { items: [] }
    throw error
  })
  for (const object of items) if (await release(kube, of, object)) freed += 1
  return freed
}

async function release(kube: Pick<Kube, 'find' | 'patch'>, of: ResourceRef, seen: KubeObject): Promise<boolean> {
  const { name, namespace } = seen.metadata
  const key = { name, ...(namespace === undefined ? {} : { namespace }) }
  for (let object: KubeObject | undefined = seen; object; object = await kube.find(of, key)) {
    const { finalizers = [], resourceVersion } = object.metadata
    const others = finalizers.filter(finalizer => !finalizer.startsWith(`${of.group}/`))
    if (others.length === finalizers.length) return false
    try {
      await kube.patch(of, key, { merge: { metadata: { resourceVersion, finalizers: others.length > 0 ? others : null } } })
      return true
    } catch (error) {
      if (ApiError.is(error, 'NotFound')) return true
      if (!ApiError.is(error, 'Conflict')) throw error
    }
  }
  return false
}
