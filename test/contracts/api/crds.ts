import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Body, eventually, refused } from './host.ts'
import { widget, widgetCrd } from './objects.ts'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

export function crdCases(bench: Bench): void {
  const widgets = (): string => `/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`
  const post = (spec: Record<string, unknown>, query = '') =>
    bench.api.post(`${widgets()}${query}`, widget(bench.group, bench.fresh('cw'), spec))
  const causes = (body: Body): string[] => (body.details?.causes ?? []).map((c: Body) => c.field)

  it('defaults are filled in, also inside lists', async () => {
    const { body } = await post({ size: 1, slots: [{ id: 'a' }, { id: 'b', size: 9 }] })
    expect(body.spec).toEqual({
      size: 1,
      color: 'red',
      slots: [
        { id: 'a', size: 1 },
        { id: 'b', size: 9 },
      ],
    })
  })
  it('unknown fields are dropped, preserved ones kept', async () => {
    const { body } = await post({ size: 1, extra: true, free: { any: { thing: [1] } } })
    expect(body.spec).toEqual({ size: 1, color: 'red', free: { any: { thing: [1] } } })
  })
  const bad: readonly (readonly [what: string, spec: Record<string, unknown>, field: string])[] = [
    ['a wrong type', { size: 'three' }, 'spec.size'],
    ['a missing field', {}, 'spec.size'],
    ['a number below the minimum', { size: 0 }, 'spec.size'],
    ['a number above the maximum', { size: 101 }, 'spec.size'],
    ['a fraction for an integer', { size: 1.5 }, 'spec.size'],
    ['a value outside the enum', { size: 1, color: 'blue' }, 'spec.color'],
    ['a text that is too long', { size: 1, note: 'x'.repeat(21) }, 'spec.note'],
    ['a boolean for int-or-string', { size: 1, port: true }, 'spec.port'],
    ['a twin in a set', { size: 1, tags: ['a', 'a'] }, 'spec.tags[1]'],
    ['a twin in a list-map', { size: 1, slots: [{ id: 'a' }, { id: 'a' }] }, 'spec.slots[1]'],
    ['a list-map item without its key', { size: 1, slots: [{ size: 1 }] }, 'spec.slots[0].id'],
    ['an object for a list', { size: 1, tags: {} }, 'spec.tags'],
    ['null where it is not allowed', { size: null }, 'spec.size'],
  ]
  for (const [what, spec, field] of bad) {
    it(`the schema refuses ${what}`, async () => {
      const answer = await post(spec)
      refused(answer, 422, 'Invalid')
      expect(causes(answer.body)).toContain(field)
    })
  }
  it('null is kept where the schema allows it', async () => expect((await post({ size: 1, note: null })).body.spec.note).toBeNull())
  it('int-or-string takes both', async () => {
    expect((await post({ size: 1, port: 80 })).body.spec.port).toBe(80)
    expect((await post({ size: 1, port: 'http' })).body.spec.port).toBe('http')
  })
  it('CVE-2025-7044 strict field validation refuses unknown fields and writes nothing', async () => {
    const answer = await post({ size: 1, extra: true }, '?fieldValidation=Strict')
    refused(answer, 400, 'BadRequest')
    expect(answer.body.message).toContain('unknown field "spec.extra"')
  })
  it('warning field validation tells of unknown and duplicate fields', async () => {
    const name = bench.fresh('cw')
    const text = JSON.stringify(widget(bench.group, name, { size: 1, extra: 1 })).replace('"size":1', '"size":1,"size":1')
    const answer = await bench.api.post(`${widgets()}?fieldValidation=Warn`, text)
    expect(answer.code).toBe(201)
    expect(answer.headers['warning']).toContain('unknown field')
    expect(answer.headers['warning']).toContain('duplicate field')
  })
  it('field validation of another name is refused', async () => refused(await post({ size: 1 }, '?fieldValidation=Maybe'), 422, 'Invalid'))
  it('a Table of a custom kind has its printer columns', async () => {
    await post({ size: 42 })
    const { body } = await bench.api.get(widgets(), 'application/json;as=Table;v=v1;g=meta.k8s.io')
    expect(body.columnDefinitions.map((c: Body) => c.name)).toEqual(['Name', 'Size'])
  })
  it('a CRD is served as soon as it is established, and found by discovery', async () => {
    const group = `${bench.fresh('g')}.rackwright.test`
    expect((await bench.api.post(crds, widgetCrd(group))).code).toBe(201)
    await eventually(async () => (await bench.api.get(`/apis/${group}/v1`)).code === 200, bench.pause)
    const { body } = await bench.api.get(`/apis/${group}/v1`)
    expect(body.resources.map((r: Body) => r.name)).toEqual(['widgets', 'widgets/status'])
    expect(body.resources[0]).toMatchObject({ kind: 'Widget', shortNames: ['wd'], categories: ['contract'], namespaced: true })
    expect((await bench.api.get('/apis')).body.groups.map((g: Body) => g.name)).toContain(group)
    await bench.api.delete(`${crds}/widgets.${group}`)
  })
  it('deleting a CRD deletes all its objects, and the kind is gone', async () => {
    const group = `${bench.fresh('g')}.rackwright.test`
    await bench.api.post(crds, widgetCrd(group))
    const path = `/apis/${group}/v1/namespaces/${bench.ns}/widgets`
    await eventually(async () => (await bench.api.post(path, widget(group, 'one'))).code === 201, bench.pause)
    await bench.api.delete(`${crds}/widgets.${group}`)
    await eventually(async () => (await bench.api.get(`${crds}/widgets.${group}`)).code === 404, bench.pause)
    await eventually(async () => (await bench.api.get(path)).code === 404, bench.pause)
    await bench.api.post(crds, widgetCrd(group))
    await eventually(async () => (await bench.api.get(path)).code === 200, bench.pause)
    expect((await bench.api.get(path)).body.items).toEqual([])
    await bench.api.delete(`${crds}/widgets.${group}`)
  })
  it('a new default appears on objects that were stored before it', async () => {
    const group = `${bench.fresh('g')}.rackwright.test`
    const crd = (await bench.api.post(crds, widgetCrd(group))).body
    const path = `/apis/${group}/v1/namespaces/${bench.ns}/widgets`
    await eventually(async () => (await bench.api.post(path, widget(group, 'old'))).code === 201, bench.pause)
    await bench.api.patch(
      `${crds}/widgets.${group}`,
      [
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/shape',
          value: { type: 'string', default: 'round' },
        },
      ],
      'json',
    )
    await eventually(async () => (await bench.api.get(`${path}/old`)).body.spec?.shape === 'round', bench.pause)
    expect(crd.metadata.generation).toBe(1)
    await bench.api.delete(`${crds}/widgets.${group}`)
  })
  const badCrds: readonly (readonly [what: string, change: (crd: Body) => void])[] = [
    [
      'a name that is not plural.group',
      crd => {
        crd.metadata.name = 'gadgets.example.com'
      },
    ],
    [
      'no storage version',
      crd => {
        crd.spec.versions[0].storage = false
      },
    ],
    [
      'a schema without types',
      crd => {
        crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = { properties: {} }
      },
    ],
    [
      'no schema',
      crd => {
        delete crd.spec.versions[0].schema
      },
    ],
    [
      'an unknown scope',
      crd => {
        crd.spec.scope = 'Galactic'
      },
    ],
    [
      'a default that breaks its own rule',
      crd => {
        crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.color.default = 'blue'
      },
    ],
    [
      'a list-map without keys',
      crd => {
        delete crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.slots['x-kubernetes-list-map-keys']
      },
    ],
    [
      'a pattern that is none',
      crd => {
        crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.color.pattern = '('
      },
    ],
  ]
  for (const [what, change] of badCrds) {
    it(`a CRD with ${what} is refused`, async () => {
      const crd = structuredClone(widgetCrd(`${bench.fresh('g')}.rackwright.test`))
      change(crd)
      refused(await bench.api.post(crds, crd), 422, 'Invalid')
    })
  }
}
