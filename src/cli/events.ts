import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { Reader, ResourceRef } from '../ports/index.ts'

const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }

/** An Event as far as people read it. */
export interface Told {
  readonly at: string
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly times: number
}

/** What was told about an object, oldest first. */
export async function eventsOf(kube: Reader, { kind, metadata }: KubeObject): Promise<readonly Told[]> {
  const { items } = await kube.list(events, { fields: `involvedObject.name=${metadata.name}` })
  const mine = items.filter(event => isObject(event['involvedObject']) && event['involvedObject']['kind'] === kind)
  // Times are whole seconds; within one, what was written later came later.
  const written = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0)
  return mine
    .toSorted((a, b) => written(a) - written(b))
    .map(told)
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function told(event: KubeObject): Told {
  const text = (field: string): string => (typeof event[field] === 'string' ? event[field] : '')
  const at = text('lastTimestamp') || text('eventTime') || text('firstTimestamp') || (event.metadata.creationTimestamp ?? '')
  const { count } = event
  return { at, type: text('type'), reason: text('reason'), message: text('message'), times: typeof count === 'number' ? count : 1 }
}
