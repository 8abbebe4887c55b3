import { describe, expect, it } from 'vitest'
import type { Column } from '../../api/structural.ts'
import type { KubeObject } from '../../core/object.ts'
import { ageText, spanText } from './age.ts'
import { tableOf } from './table.ts'

const now = Date.parse('2026-01-02T00:00:00Z')
const object = (kind: string, more: object): KubeObject =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'a', creationTimestamp: '2026-01-01T23:55:00Z' }, ...more }) as KubeObject
const cells = (group: string, kind: string, more: object, columns: readonly Column[] = []) => {
  const table = tableOf({ group, kind, columns }, [object(kind, more)], { now, includeObject: 'None' })
  return Object.fromEntries(table.columnDefinitions.map((definition, i) => [definition.name, table.rows[0]!.cells[i]]))
}

describe('ages', () => {
  it.each([
    [0, '0s'],
    [-5_000, '<invalid>'],
    [119_000, '119s'],
    [120_000, '2m'],
    [125_000, '2m5s'],
    [600_000, '10m'],
    [179 * 60_000, '179m'],
    [3 * 3_600_000, '3h'],
    [3 * 3_600_000 + 60_000, '3h1m'],
    [9 * 3_600_000 + 60_000, '9h'],
    [50 * 3_600_000, '2d2h'],
    [30 * 86_400_000, '30d'],
    [800 * 86_400_000, '2y70d'],
    [9 * 365 * 86_400_000, '9y'],
  ])('%d ms read %s', (span, text) => expect(spanText(span)).toBe(text))

  it('say so where there is no time', () => {
    expect(ageText(undefined, now)).toBe('<unknown>')
    expect(ageText('soon', now)).toBe('<invalid>')
  })
})

describe('tableOf()', () => {
  it('shows name and age of a kind without columns', () => expect(cells('example.com', 'Thing', {})).toEqual({ Name: 'a', Age: '5m' }))

  it('shows the columns that a CRD declares, and no age unless declared', () => {
    const columns: Column[] = [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
      { name: 'Ports', type: 'string', jsonPath: '.spec.ports[*]' },
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
      { name: 'Load', type: 'number', jsonPath: '.spec.load' },
      { name: 'Since', type: 'date', jsonPath: '.status.since' },
      { name: 'Wrong', type: 'integer', jsonPath: '.spec.on' },
      { name: 'Gone', type: 'string', jsonPath: '.spec.gone' },
      { name: 'Map', type: 'string', jsonPath: '.spec.map' },
    ]
    const more = {
      spec: { size: 3, on: false, load: 0.5, ports: [1, 'x'], map: { a: 1 } },
      status: { conditions: [{ type: 'Ready', status: 'True' }], since: '2026-01-01T22:00:00Z' },
    }
    expect(cells('example.com', 'Thing', more, columns)).toEqual({
      Name: 'a',
      Ready: 'True',
      Ports: '1,x',
      Size: 3,
      On: false,
      Load: 0.5,
      Since: '120m',
      Wrong: null,
      Gone: null,
      Map: '{"a":1}',
    })
    expect(tableOf({ group: 'example.com', kind: 'Thing', columns }, [], { now, includeObject: 'None' }).columnDefinitions[1]).toEqual({
      name: 'Ready',
      type: 'string',
      format: '',
      description: '',
      priority: 1,
    })
  })

  it.each<[string, string, object, object]>([
    ['', 'Secret', { type: 'Opaque', data: { a: '', b: '' } }, { Name: 'a', Type: 'Opaque', Data: 2, Age: '5m' }],
    ['', 'ConfigMap', { data: { a: '' }, binaryData: { b: '' } }, { Name: 'a', Data: 2, Age: '5m' }],
    ['', 'Namespace', { status: { phase: 'Active' } }, { Name: 'a', Status: 'Active', Age: '5m' }],
    ['', 'ServiceAccount', {}, { Name: 'a', Age: '5m' }],
    ['coordination.k8s.io', 'Lease', { spec: { holderIdentity: 'me' } }, { Name: 'a', Holder: 'me', Age: '5m' }],
    ['rbac.authorization.k8s.io', 'Role', {}, { Name: 'a', 'Created At': '2026-01-01T23:55:00Z' }],
    ['apiextensions.k8s.io', 'CustomResourceDefinition', {}, { Name: 'a', 'Created At': '2026-01-01T23:55:00Z' }],
    [
      'rbac.authorization.k8s.io',
      'RoleBinding',
      {
        roleRef: { kind: 'Role', name: 'r' },
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        ],
      },
      { Role: 'Role/r', Users: 'u', Groups: '', ServiceAccounts: 'n/s' },
    ],
    [
      'batch',
      'Job',
      {
        spec: { completions: 1, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } },
        status: {
          startTime: '2026-01-01T23:58:00Z',
          succeeded: 1,
          completionTime: '2026-01-01T23:58:30Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      { Status: 'Complete', Completions: '1/1', Duration: '30s', Containers: 'c', Images: 'i', Selector: '<none>' },
    ],
    ['batch', 'Job', {}, { Status: 'Running', Completions: '0/1', Duration: '' }],
    [
      '',
      'Event',
      {
        type: 'Warning',
        reason: 'Odd',
        message: 'text\n',
        count: 3,
        lastTimestamp: '2026-01-01T23:59:00Z',
        involvedObject: { kind: 'Server', name: 's' },
        source: { component: 'c' },
      },
      { 'Last Seen': '60s', Type: 'Warning', Reason: 'Odd', Object: 'server/s', Message: 'text', Count: 3, Source: 'c' },
    ],
    [
      'events.k8s.io',
      'Event',
      {
        note: 'text',
        eventTime: '2026-01-01T23:50:00.000000Z',
        series: { count: 4, lastObservedTime: '2026-01-01T23:59:50.000000Z' },
        regarding: { kind: 'Server', name: 's' },
        reportingController: 'c',
      },
      { 'Last Seen': '10s', 'First Seen': '10m', Object: 'server/s', Message: 'text', Count: 4, Source: 'c' },
    ],
  ])('shows %s/%s as kubectl users know it', (group, kind, more, expected) => expect(cells(group, kind, more)).toMatchObject(expected))

  it('carries the metadata, the whole object, or none', () => {
    const one = object('Thing', { spec: 1 })
    const rowWith = (includeObject: string) =>
      tableOf({ group: 'example.com', kind: 'Thing', columns: [] }, [one], { now, includeObject }).rows[0]
    expect(rowWith('Metadata')?.object).toEqual({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: one.metadata })
    expect(rowWith('Object')?.object).toBe(one)
    expect(rowWith('None')).not.toHaveProperty('object')
    expect(() => rowWith('Everything')).toThrowError(/includeObject/)
  })
})
