import type { KubeObject } from '../../core/object.ts'
import { utf8 } from '../answer.ts'
import type { Api } from '../call.ts'
import type { Shape } from '../negotiate.ts'
import type { Resource } from '../resource.ts'
import { tableOf } from '../table/table.ts'

interface ListMeta {
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** Objects as a Table, or as their metadata alone. A single object asked for as metadata is not wrapped in a list. */
export function project(
  api: Api,
  resource: Resource,
  objects: readonly KubeObject[],
  shape: Exclude<Shape, 'object'>,
  query: URLSearchParams,
  resourceVersion: string | undefined,
  list?: ListMeta,
): Uint8Array {
  if (shape === 'table') {
    const metadata = list ?? (resourceVersion === undefined ? {} : { resourceVersion })
    return utf8(
      JSON.stringify(
        tableOf(resource, objects, { now: api.clock.now(), includeObject: query.get('includeObject') ?? 'Metadata', metadata }),
      ),
    )
  }
  const partial = objects.map(metadataOnly)
  if (!list) return utf8(JSON.stringify(partial[0]))
  return utf8(JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: list, items: partial }))
}

export const metadataOnly = (object: KubeObject): KubeObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
})
