import { isObject } from '../../../core/json.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import type { Foreign, Source } from '../resources.ts'

/** Who wrote last what the machines are like: read past the caches, which do not keep that. */
export async function rivalOf(kube: ControllerKube, source: Source, object: Foreign, signal: AbortSignal): Promise<string | undefined> {
  const { name, namespace = '' } = object.metadata
  const fresh = await kube.fresh(source.of, { name, namespace }, signal)
  const fields = (fresh?.metadata as { readonly managedFields?: unknown } | undefined)?.managedFields
  if (!Array.isArray(fields)) return undefined
  const writers = fields
    .filter(isObject)
    .filter(entry => entry['manager'] !== manager && entry['subresource'] === undefined)
    .toSorted((a, b) => (String(a['time']) < String(b['time']) ? 1 : -1))
  const writer = writers[0]?.['manager']
  return typeof writer === 'string' ? writer : undefined
}

/** Who we are in managedFields. */
export const manager = 'rackwright-boot-images'
