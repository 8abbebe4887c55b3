import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { builtin } from './kinds.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const part = (object: KubeObject, key: string): Record<string, unknown> => (isObject(object[key]) ? object[key] : {})

const ofInvolved = (key: string) => (object: KubeObject) => text(part(object, 'involvedObject')[key])
const ofRegarding = (key: string) => (object: KubeObject) => text(part(object, 'regarding')[key])

/** One Event, two shapes: the core group's, in which it is stored, and that of events.k8s.io. */
export const eventKinds = (): readonly Resource[] => [
  builtin({
    group: '',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    namespaced: true,
    shortNames: ['ev'],
    fields: {
      'involvedObject.kind': ofInvolved('kind'),
      'involvedObject.namespace': ofInvolved('namespace'),
      'involvedObject.name': ofInvolved('name'),
      'involvedObject.uid': ofInvolved('uid'),
      'involvedObject.apiVersion': ofInvolved('apiVersion'),
      'involvedObject.resourceVersion': ofInvolved('resourceVersion'),
      'involvedObject.fieldPath': ofInvolved('fieldPath'),
      reason: o => text(o['reason']),
      reportingComponent: o => text(o['reportingComponent']),
      source: o => text(part(o, 'source')['component']) || text(o['reportingComponent']),
      type: o => text(o['type']),
    },
    prepare: object => ({ ...object, type: object['type'] || 'Normal' }),
    validate: object => {
      const involved = ofInvolved('namespace')(object)
      if (involved === '' || involved === object.metadata.namespace) return []
      return [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${JSON.stringify(involved)}: does not match event.namespace`,
          field: 'involvedObject.namespace',
        },
      ]
    },
  }),
  builtin({
    group: 'events.k8s.io',
    version: 'v1',
    kind: 'Event',
    plural: 'events',
    namespaced: true,
    shortNames: ['ev'],
    storage: { name: '/events', encode: toCore, decode: fromCore },
    fields: {
      'regarding.kind': ofRegarding('kind'),
      'regarding.namespace': ofRegarding('namespace'),
      'regarding.name': ofRegarding('name'),
      'regarding.uid': ofRegarding('uid'),
      reason: o => text(o['reason']),
      reportingController: o => text(o['reportingController']),
      type: o => text(o['type']),
    },
  }),
]

const renamed: readonly (readonly [modern: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]

function toCore(event: KubeObject): KubeObject {
  const names = new Map(renamed)
  return { ...mapKeys(event, key => names.get(key) ?? key), apiVersion: 'v1', involvedObject: event['regarding'] ?? {} }
}

function fromCore(event: KubeObject): KubeObject {
  const names = new Map(renamed.map(([modern, core]) => [core, modern]))
  return { ...mapKeys(event, key => names.get(key) ?? key), apiVersion: 'events.k8s.io/v1' }
}

const mapKeys = (object: KubeObject, name: (key: string) => string): KubeObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [name(key), value])) as KubeObject
