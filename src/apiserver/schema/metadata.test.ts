import { expect, it } from 'vitest'
import type { KubeObject, ObjectMeta } from '../../core/object.ts'
import { checkMetadata } from './metadata.ts'

const thing = { group: 'example.com', kind: 'Thing', namespaced: true }
const object = (metadata: Partial<ObjectMeta>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'b', ...metadata },
})
const fields = (resource: typeof thing, metadata: Partial<ObjectMeta>, old?: Partial<ObjectMeta>) =>
  checkMetadata(resource, object(metadata), old && object(old)).map(cause => cause.field)

it('accepts what Kubernetes accepts', () => {
  expect(
    fields(thing, {
      name: 'a.b-c',
      generateName: 'x-',
      labels: { app: 'web', 'example.com/role': '' },
      annotations: { 'Example.com/Note': 'any thing' },
      finalizers: ['example.com/x', 'foregroundDeletion'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u', controller: true }],
    }),
  ).toEqual([])
})

it.each<[Partial<ObjectMeta>, string]>([
  [{ name: 'A' }, 'metadata.name'],
  [{ name: '' }, 'metadata.name'],
  [{ name: 'a'.repeat(254) }, 'metadata.name'],
  [{ generateName: 'A-' }, 'metadata.generateName'],
  [{ namespace: 'a.b' }, 'metadata.namespace'],
  [{ namespace: '' }, 'metadata.namespace'],
  [{ labels: { '-': 'x' } }, 'metadata.labels'],
  [{ labels: { a: 'x y' } }, 'metadata.labels'],
  [{ annotations: { 'a b': '' } }, 'metadata.annotations'],
  [{ annotations: { a: 'x'.repeat(256 * 1024) } }, 'metadata.annotations'],
  [{ finalizers: ['no spaces'] }, 'metadata.finalizers'],
  [{ finalizers: ['orphan', 'foregroundDeletion'] }, 'metadata.finalizers'],
  [{ ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 's', uid: '' }] }, 'metadata.ownerReferences.uid'],
  [{ ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 's', uid: 'u' }] }, 'metadata.ownerReferences'],
])('refuses %j at %s', (metadata, field) => expect(fields(thing, metadata)).toEqual([field]))

it('lets one owner control, not two', () => {
  const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u', controller: true }
  expect(fields(thing, { ownerReferences: [owner, { ...owner, uid: 'w' }] })).toEqual(['metadata.ownerReferences'])
})

it('takes names by kind', () => {
  expect(fields({ group: 'rbac.authorization.k8s.io', kind: 'Role', namespaced: true }, { name: 'system:Node' })).toEqual([])
  expect(fields({ group: 'rbac.authorization.k8s.io', kind: 'Role', namespaced: true }, { name: 'a/b' })).toEqual(['metadata.name'])
  expect(fields({ group: '', kind: 'Namespace', namespaced: false }, { name: 'a.b', namespace: '' })).toEqual(['metadata.name'])
  expect(fields({ group: '', kind: 'Namespace', namespaced: false }, { name: 'a' })).toEqual(['metadata.namespace'])
})

it('keeps what may not change, and adds no finalizer to what is being deleted', () => {
  expect(fields(thing, { uid: 'x', creationTimestamp: 't' }, { uid: 'y', creationTimestamp: 't' })).toEqual(['metadata.uid'])
  const deleted = { deletionTimestamp: 't', finalizers: ['example.com/a'] }
  expect(fields(thing, { ...deleted, finalizers: [] }, deleted)).toEqual([])
  expect(fields(thing, { ...deleted, finalizers: ['example.com/b'] }, deleted)).toEqual(['metadata.finalizers'])
})
