import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { ageText } from './age.ts'
import { column, type TableColumn } from './column.ts'

const fields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

// One kind under two groups: the core group and events.k8s.io name the same facts differently.
const about = (event: KubeObject) => fields(event['involvedObject'] ?? event['regarding'])
const source = (event: KubeObject) => fields(event['source'] ?? event['deprecatedSource'])
const series = (event: KubeObject) => fields(event['series'])
const last = (event: KubeObject) =>
  series(event)['lastObservedTime'] ?? event['lastTimestamp'] ?? event['deprecatedLastTimestamp'] ?? event['eventTime']
const first = (event: KubeObject) => event['firstTimestamp'] ?? event['deprecatedFirstTimestamp'] ?? event['eventTime']
const times = (event: KubeObject) => series(event)['count'] ?? event['count'] ?? event['deprecatedCount'] ?? 1

function objectText(event: KubeObject): string {
  const { kind, name } = about(event)
  return `${text(kind).toLowerCase()}/${text(name)}`
}

function sourceText(event: KubeObject): string {
  const { component, host } = source(event)
  const from = [text(component), text(host)].filter(one => one !== '')
  if (from.length > 0) return from.join(', ')
  return [text(event['reportingComponent'] ?? event['reportingController']), text(event['reportingInstance'])]
    .filter(one => one !== '')
    .join(', ')
}

export const eventColumns: readonly TableColumn[] = [
  column('Last Seen', 'string', (event, now) => ageText(last(event), now)),
  column('Type', 'string', event => text(event['type'])),
  column('Reason', 'string', event => text(event['reason'])),
  column('Object', 'string', objectText),
  column('Subobject', 'string', event => text(about(event)['fieldPath']), { priority: 1 }),
  column('Source', 'string', sourceText, { priority: 1 }),
  column('Message', 'string', event => text(event['message'] ?? event['note']).trim()),
  column('First Seen', 'string', (event, now) => ageText(first(event), now), { priority: 1 }),
  column('Count', 'string', times, { priority: 1 }),
  column('Name', 'string', event => event.metadata.name, { priority: 1, format: 'name' }),
]
