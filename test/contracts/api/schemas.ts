import { beforeAll, expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Body, eventually, refused } from './host.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A field of every sort that a structural schema can tell apart, one rule each. */
const fields = {
  short: { type: 'string', minLength: 2 },
  name: { type: 'string', pattern: '^[a-z]+$' },
  at: { type: 'string', format: 'date-time' },
  even: { type: 'integer', multipleOf: 2 },
  above: { type: 'number', minimum: 1, exclusiveMinimum: true },
  below: { type: 'number', maximum: 9, exclusiveMaximum: true },
  few: { type: 'array', maxItems: 2, items: { type: 'integer' } },
  some: { type: 'array', minItems: 1, items: { type: 'string' } },
  map: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 },
  full: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
  either: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  any: { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 0 }] },
  all: { type: 'integer', allOf: [{ minimum: 3 }, { maximum: 5 }] },
  never: { type: 'string', not: { enum: ['no'] } },
  flag: { type: 'boolean' },
  level: { type: 'integer', enum: [1, 2, 3] },
  nested: {
    type: 'object',
    default: {},
    properties: {
      depth: { type: 'integer', default: 7 },
      deeper: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
    },
  },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  big: { type: 'integer', format: 'int64' },
  small: { type: 'integer', format: 'int32' },
}

export const gaugeCrd = (group: string) => {
  const version = (name: string, storage: boolean, served = true) => ({
    name,
    served,
    storage,
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: 'Level', type: 'integer', jsonPath: '.spec.level' },
      { name: 'Flag', type: 'boolean', jsonPath: '.spec.flag', priority: 1 },
      { name: 'Since', type: 'date', jsonPath: '.spec.at' },
    ],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: fields },
          status: { type: 'object', properties: { note: { type: 'string', maxLength: 5 } } },
        },
      },
    },
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gauges.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'gauges', singular: 'gauge', kind: 'Gauge' },
      versions: [version('v1', true), version('v1beta1', false), version('v1alpha1', false, false)],
    },
  }
}

/** What a schema lets through, refuses and fills in; versions of one kind; a kind without a namespace. */
export function schemaCases(bench: Bench): void {
  const at = (version = 'v1'): string => `/apis/${bench.group}/${version}/gauges`
  const gauge = (spec: object, version = 'v1', name = bench.fresh('gauge')) => ({
    apiVersion: `${bench.group}/${version}`,
    kind: 'Gauge',
    metadata: { name },
    spec,
  })
  beforeAll(async () => {
    const made = await bench.api.post(crds, gaugeCrd(bench.group))
    if (made.code !== 201) throw new Error(`crd: ${JSON.stringify(made.body)}`)
    await eventually(async () => (await bench.api.get(at())).code === 200, bench.pause)
    await eventually(async () => (await bench.api.get(at('v1beta1'))).code === 200, bench.pause)
  })

  const rules: readonly (readonly [what: string, good: object, bad: object])[] = [
    ['minLength', { short: 'ab' }, { short: 'a' }],
    ['pattern', { name: 'abc' }, { name: 'a1' }],
    ['format date-time', { at: '2026-01-01T00:00:00Z' }, { at: 'yesterday' }],
    ['multipleOf', { even: 4 }, { even: 5 }],
    ['exclusiveMinimum', { above: 1.5 }, { above: 1 }],
    ['exclusiveMaximum', { below: 8.5 }, { below: 9 }],
    ['maxItems', { few: [1, 2] }, { few: [1, 2, 3] }],
    ['minItems', { some: ['a'] }, { some: [] }],
    ['additionalProperties', { map: { a: 1 } }, { map: { a: 'x' } }],
    ['maxProperties', { map: { a: 1, b: 2 } }, { map: { a: 1, b: 2, c: 3 } }],
    ['minProperties', { full: { a: 'x' } }, { full: {} }],
    ['oneOf', { either: { a: 'x' } }, { either: { a: 'x', b: 'y' } }],
    ['anyOf', { any: 11 }, { any: 5 }],
    ['allOf', { all: 4 }, { all: 6 }],
    ['not', { never: 'yes' }, { never: 'no' }],
    ['boolean', { flag: true }, { flag: 'true' }],
    ['enum of numbers', { level: 2 }, { level: 4 }],
    ['an embedded resource', { embedded: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, more: 1 } }, { embedded: { more: 1 } }],
    ['int32', { small: 2_147_483_647 }, { small: 2_147_483_648 }],
  ]
  for (const [what, good, bad] of rules) {
    it(`${what} lets the right value through unchanged`, async () => {
      const { code, body } = await bench.api.post(at(), gauge(good))
      expect({ code, said: code === 201 ? '' : body.message }).toEqual({ code: 201, said: '' })
      expect(body.spec).toMatchObject(good)
    })
    it(`${what} refuses the wrong one and names the field`, async () => {
      const answer = await bench.api.post(at(), gauge(bad))
      refused(answer, 422, 'Invalid')
      expect(answer.body.message).toContain(`spec.${Object.keys(bad)[0]}`)
    })
  }
  it('a default of an object is filled in, and its own defaults with it', async () => {
    expect((await bench.api.post(at(), gauge({}))).body.spec).toEqual({ nested: { depth: 7 } })
    expect((await bench.api.post(at(), gauge({ nested: { deeper: {} } }))).body.spec).toEqual({
      nested: { depth: 7, deeper: { on: true } },
    })
  })
  it('an int64 keeps its digits as far as JSON numbers go', async () =>
    expect((await bench.api.post(at(), gauge({ big: 9_007_199_254_740_991 }))).body.spec.big).toBe(9_007_199_254_740_991))
  it('the status has a schema too', async () => {
    const made = (await bench.api.post(at(), gauge({}))).body
    const path = `${at()}/${made.metadata.name}/status`
    refused(await bench.api.patch(path, { status: { note: 'too long' } }), 422, 'Invalid')
    expect((await bench.api.patch(path, { status: { note: 'ok' } })).body.status).toEqual({ note: 'ok' })
  })
  it('a patch that breaks the schema changes nothing', async () => {
    const made = (await bench.api.post(at(), gauge({ level: 1 }))).body
    refused(await bench.api.patch(`${at()}/${made.metadata.name}`, { spec: { level: 9 } }), 422, 'Invalid')
    expect((await bench.api.get(`${at()}/${made.metadata.name}`)).body.spec.level).toBe(1)
  })
  it('an object is the same in every served version', async () => {
    const made = (await bench.api.post(at('v1beta1'), gauge({ level: 2 }, 'v1beta1'))).body
    const read = (await bench.api.get(`${at('v1')}/${made.metadata.name}`)).body
    expect(made.apiVersion).toBe(`${bench.group}/v1beta1`)
    expect(read).toMatchObject({ apiVersion: `${bench.group}/v1`, spec: { level: 2 }, metadata: { uid: made.metadata.uid } })
  })
  it('a watch in one version hears of writes in another', async () => {
    const from = (await bench.api.get(`${at()}?limit=1`)).body.metadata.resourceVersion
    const { body } = await bench.api.post(at('v1beta1'), gauge({}, 'v1beta1'))
    const query = `watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3D${body.metadata.name}`
    const [event] = await bench.api.watch(`${at()}?${query}`, seen => seen.length > 0)
    expect(event).toMatchObject({ type: 'ADDED', object: { apiVersion: `${bench.group}/v1` } })
  })
  it('a version that is not served is not there', async () => expect((await bench.api.get(at('v1alpha1'))).code).toBe(404))
  it('a body of another version than its path is refused', async () =>
    refused(await bench.api.post(at('v1'), gauge({}, 'v1beta1')), 400, 'BadRequest'))
  it('a kind without a namespace is not found in one', async () =>
    expect((await bench.api.get(`/apis/${bench.group}/v1/namespaces/${bench.ns}/gauges`)).code).toBe(404))
  it('printer columns show what their paths find, and dates as ages', async () => {
    const at2020 = '2020-01-01T00:00:00Z'
    const made = (await bench.api.post(at(), gauge({ level: 3, at: at2020 }))).body
    const { body } = await bench.api.get(`${at()}/${made.metadata.name}`, 'application/json;as=Table;v=v1;g=meta.k8s.io')
    expect(body.columnDefinitions.map((c: Body) => `${c.name} ${c.type} ${c.priority}`)).toEqual([
      'Name string 0',
      'Level integer 0',
      'Flag boolean 1',
      'Since date 0',
    ])
    expect(body.rows[0].cells.slice(0, 3)).toEqual([made.metadata.name, 3, null])
    expect(body.rows[0].cells[3]).toMatch(/^\d+y/)
  })
  it('the CRD says that its names are accepted and it is established', async () => {
    const { body } = await bench.api.get(`${crds}/gauges.${bench.group}`)
    const conditions = Object.fromEntries(body.status.conditions.map((c: Body) => [c.type, c.status]))
    expect(conditions).toMatchObject({ NamesAccepted: 'True', Established: 'True' })
    expect(body.status).toMatchObject({ storedVersions: ['v1'], acceptedNames: { kind: 'Gauge', plural: 'gauges' } })
  })
}
