import type { KubeObject } from '../core/object.ts'
import type { Entitlement, Wish } from '../ports/index.ts'
import { keyText, resourceText } from './keys.ts'
import type { Need } from './marks.ts'
import type { Ground } from './result.ts'

export const otherThan = ({ metadata: { resourceVersion } }: KubeObject): Need =>
  resourceVersion === undefined ? {} : { otherThan: resourceVersion }

/**
 * Asks the server, past all caches, whether it still has exactly what was decided about, and what entitled us to it.
 * Where not: why, and what the cache has to show before the next look.
 */
export async function changeOf(
  { kube, reconciler }: Ground,
  object: KubeObject,
  entitlements: readonly Entitlement[],
): Promise<{ readonly because: string; readonly need: Need | undefined } | undefined> {
  const reads = [{ of: reconciler.kind, key: object.metadata }, ...entitlements].map(({ of, key }) => kube.fresh(of, key))
  const [fresh, ...others] = await Promise.all(reads)
  const { uid, resourceVersion } = object.metadata
  if (fresh?.metadata.uid !== uid || fresh?.metadata.resourceVersion !== resourceVersion) {
    const revision = fresh?.metadata.resourceVersion
    return { because: 'it changed before anything was done', need: revision === undefined ? otherThan(object) : { atLeast: revision } }
  }
  const changed = entitlements.find((entitlement, n) => !entitles(entitlement, others[n]))
  if (!changed) return undefined
  return { because: `${resourceText(changed.of)} ${keyText(changed.key)} changed before anything was done`, need: undefined }
}

const entitles = ({ revision, wish }: Entitlement, fresh: KubeObject | undefined): boolean =>
  wish ? fresh !== undefined && sameWish(wish, fresh) : fresh?.metadata.resourceVersion === revision

const sameWish = ({ uid, generation, deleting, annotations = {} }: Wish, { metadata }: KubeObject): boolean =>
  metadata.uid === uid &&
  metadata.generation === generation &&
  (metadata.deletionTimestamp !== undefined) === deleting &&
  Object.entries(annotations).every(([name, value]) => metadata.annotations?.[name] === value)
