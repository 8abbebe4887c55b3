import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { ageColumn, column, nameColumn, type TableColumn } from './column.ts'
import { eventColumns } from './event-columns.ts'
import { jobColumns } from './job-columns.ts'

const count = (value: unknown): number => (Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const part = (object: KubeObject, field: string): Record<string, unknown> => (isObject(object[field]) ? object[field] : {})

const createdAt = column('Created At', 'date', object => object.metadata.creationTimestamp ?? '<unknown>')

const subjects = (kind: string) => (object: KubeObject) => {
  const list = Array.isArray(object['subjects']) ? object['subjects'].filter(isObject) : []
  return list
    .filter(subject => subject['kind'] === kind)
    .map(subject => (kind === 'ServiceAccount' ? `${text(subject['namespace'])}/${text(subject['name'])}` : text(subject['name'])))
    .join(', ')
}
const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column('Role', 'string', object => `${text(part(object, 'roleRef')['kind'])}/${text(part(object, 'roleRef')['name'])}`),
  ageColumn,
  column('Users', 'string', subjects('User'), { priority: 1 }),
  column('Groups', 'string', subjects('Group'), { priority: 1 }),
  column('ServiceAccounts', 'string', subjects('ServiceAccount'), { priority: 1 }),
]

/** The columns that kubectl's users know, by group and kind. */
const known: Readonly<Record<string, readonly TableColumn[]>> = {
  '/Secret': [
    nameColumn,
    column('Type', 'string', object => text(object['type'])),
    column('Data', 'string', object => count(object['data'])),
    ageColumn,
  ],
  '/ConfigMap': [nameColumn, column('Data', 'string', object => count(object['data']) + count(object['binaryData'])), ageColumn],
  '/Namespace': [nameColumn, column('Status', 'string', object => text(part(object, 'status')['phase'])), ageColumn],
  '/ServiceAccount': [nameColumn, ageColumn],
  '/Event': eventColumns,
  'events.k8s.io/Event': eventColumns,
  'batch/Job': jobColumns,
  'coordination.k8s.io/Lease': [nameColumn, column('Holder', 'string', object => text(part(object, 'spec')['holderIdentity'])), ageColumn],
  'rbac.authorization.k8s.io/Role': [nameColumn, createdAt],
  'rbac.authorization.k8s.io/ClusterRole': [nameColumn, createdAt],
  'rbac.authorization.k8s.io/RoleBinding': bindingColumns,
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingColumns,
  'apiextensions.k8s.io/CustomResourceDefinition': [nameColumn, createdAt],
}

export function builtinColumns(group: string, kind: string): readonly TableColumn[] | undefined {
  const key = `${group}/${kind}`
  return Object.hasOwn(known, key) ? known[key] : undefined
}
