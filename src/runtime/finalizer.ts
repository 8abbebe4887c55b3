import type { KubeObject } from '../core/object.ts'
import type { Action } from '../core/plan.ts'
import type { ControllerKube, Performer, ResourceRef } from '../ports/index.ts'

export const lacksFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean => metadata.finalizers?.includes(finalizer) !== true

/** Puts the finalizer on: nothing is done for an object before it cannot vanish unseen. No controller's verb has a space. */
export const hold: Action = { do: 'hold finalizer' }

/** The two actions around a finalizer; each is refused with Conflict unless the object is still as it was decided about. */
export function finalizerPerformers(
  kube: ControllerKube,
  of: ResourceRef,
  finalizer: string,
): ReadonlyMap<string, Performer<KubeObject, Action>> {
  const set = async (finalizers: readonly string[], object: KubeObject, signal: AbortSignal): Promise<void> => {
    const { resourceVersion, uid } = object.metadata
    await kube.patch(of, object.metadata, { merge: { metadata: { uid, resourceVersion, finalizers } } }, { signal })
  }
  const others = (object: KubeObject): readonly string[] => (object.metadata.finalizers ?? []).filter(name => name !== finalizer)
  return new Map([
    [hold.do, { run: (_, { object, signal }) => set([...others(object), finalizer], object, signal) }],
    ['release', { run: (_, { object, signal }) => set(others(object), object, signal) }],
  ] satisfies [string, Performer<KubeObject, Action>][])
}
