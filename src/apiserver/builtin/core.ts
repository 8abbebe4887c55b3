import type { Cause } from '../../api/status.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { builtin, statusOf } from './kinds.ts'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const part = (object: KubeObject, key: string): Record<string, unknown> => (isObject(object[key]) ? object[key] : {})

/** The core group's kinds that a machine-management API needs: no pods, no nodes of its own. */
export const coreKinds = (): readonly Resource[] => [
  builtin({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    shortNames: ['ns'],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [statusOf('Namespace'), { name: 'finalize', kind: 'Namespace', verbs: ['update'] }],
    fields: { 'status.phase': o => text(part(o, 'status')['phase']) },
    prepare: prepareNamespace,
  }),
  builtin({
    group: '',
    version: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
    fields: { type: o => text(o['type']) },
    prepare: prepareSecret,
    validate: (object, old) => [...immutable(object, old, ['data', 'immutable']), ...secretRules(object, old)],
  }),
  builtin({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
    shortNames: ['cm'],
    validate: (object, old) => [
      ...immutable(object, old, ['data', 'binaryData', 'immutable']),
      ...dataKeys(object, 'data'),
      ...dataKeys(object, 'binaryData'),
    ],
  }),
  builtin({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    namespaced: true,
    shortNames: ['sa'],
    subresources: [{ name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] }],
  }),
]

/** A namespace lives until its content is gone: the server's own finalizer is in place from the start. */
function prepareNamespace(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name }
  const labelled = { ...object, metadata: { ...object.metadata, labels } }
  if (old) return { ...labelled, spec: old['spec'] ?? {} }
  return { ...labelled, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }
}

function prepareSecret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object
  const typed = { ...rest, type: rest['type'] || 'Opaque' } as KubeObject
  if (!isObject(stringData)) return stringData === undefined || stringData === null ? typed : { ...typed, stringData }
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    typeof value === 'string' ? Buffer.from(value).toString('base64') : value,
  ])
  return { ...typed, data: { ...part(object, 'data'), ...Object.fromEntries(encoded) } }
}

const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function secretRules(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const causes = dataKeys(object, 'data')
  const type = text(object['type'])
  if (old && type !== text(old['type'])) {
    causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(type)}: field is immutable`, field: 'type' })
  }
  const data = part(object, 'data')
  for (const key of Object.hasOwn(neededKeys, type) ? (neededKeys[type] ?? []) : []) {
    if (!Object.hasOwn(data, key)) causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: `data[${key}]` })
  }
  if (type === 'kubernetes.io/basic-auth' && !Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
    causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: 'data[username]' })
  }
  return causes
}

function dataKeys(object: KubeObject, field: string): Cause[] {
  const causes: Cause[] = []
  let size = 0
  for (const [key, value] of Object.entries(part(object, field))) {
    size += key.length + text(value).length
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key === '..') {
      causes.push({
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(key.slice(0, 300))}: a key holds letters, digits, '-', '_' and '.', at most 253 of them`,
        field: `${field}[${key.slice(0, 80)}]`,
      })
    }
  }
  // 1 MiB of content is Kubernetes' bound; base64 makes a third more of it.
  if (size > 1.4 * 1024 * 1024) causes.push({ reason: 'FieldValueTooLong', message: 'Too long: may not be more than 1048576 bytes', field })
  return causes
}

function immutable(object: KubeObject, old: KubeObject | undefined, fields: readonly string[]): Cause[] {
  if (old?.['immutable'] !== true) return []
  const changed = fields.filter(field => !sameJson(object[field], old[field]))
  return changed.map(field => ({ reason: 'FieldValueForbidden', message: 'Forbidden: field is immutable when `immutable` is set', field }))
}
