import { describe, expect, it } from 'vitest'
import { wireType } from '../../api/builtin/wire.ts'
import { freezeJson } from '../../core/json.ts'
import { strategicMerge } from './strategic-merge.ts'

const job = wireType('io.k8s.api.batch.v1.Job')
const pod = (spec: object) => freezeJson({ spec: { template: { spec } } })
const merged = (spec: object, patch: object) =>
  (strategicMerge(pod(spec), { spec: { template: { spec: patch } } }, job) as { spec: { template: { spec: Record<string, unknown> } } })
    .spec.template.spec

describe('strategicMerge()', () => {
  it('knows the types it is given', () => expect(job).toBeDefined())

  it('merges lists by their key, and appends what is new in the order of the patch', () => {
    const spec = {
      containers: [
        { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: 'b:1' },
      ],
    }
    expect(
      merged(spec, {
        containers: [
          { name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] },
          { name: 'c', image: 'c:1' },
        ],
      }),
    ).toEqual({
      containers: [
        {
          name: 'a',
          image: 'a:2',
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
          ],
        },
        { name: 'c', image: 'c:1' },
        { name: 'b', image: 'b:1' },
      ],
    })
  })

  it('replaces lists without a strategy', () => {
    expect(merged({ containers: [{ name: 'a', command: ['x', 'y'] }] }, { containers: [{ name: 'a', command: ['z'] }] })).toEqual({
      containers: [{ name: 'a', command: ['z'] }],
    })
  })

  it('removes by null, and leaves no nulls behind', () => {
    expect(
      merged(
        { hostname: 'x', nodeSelector: { a: '1' } },
        { hostname: null, nodeSelector: { a: null, b: '2' }, securityContext: { runAsUser: null } },
      ),
    ).toEqual({
      nodeSelector: { b: '2' },
      securityContext: {},
    })
  })

  it('deletes an item by $patch: delete', () => {
    expect(merged({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ name: 'a', $patch: 'delete' }] })).toEqual({
      containers: [{ name: 'b' }],
    })
  })

  it('replaces a list by $patch: replace', () => {
    expect(merged({ containers: [{ name: 'a' }, { name: 'b' }] }, { containers: [{ $patch: 'replace' }, { name: 'c' }] })).toEqual({
      containers: [{ name: 'c' }],
    })
  })

  it('replaces and empties objects by $patch', () => {
    expect(merged({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'replace', b: '2' } })).toEqual({ nodeSelector: { b: '2' } })
    expect(merged({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'delete' } })).toEqual({ nodeSelector: {} })
    expect(merged({ nodeSelector: { a: '1' } }, { nodeSelector: { $patch: 'merge', b: '2' } })).toEqual({
      nodeSelector: { a: '1', b: '2' },
    })
  })

  it('orders by $setElementOrder; what only the server knows keeps its place', () => {
    const spec = { containers: [{ name: 'a' }, { name: 'server' }, { name: 'b' }] }
    expect(
      merged(spec, { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'a', image: 'x' }] }),
    ).toEqual({
      containers: [{ name: 'server' }, { name: 'b' }, { name: 'a', image: 'x' }],
    })
    expect(merged(spec, { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] })).toEqual({
      containers: [{ name: 'server' }, { name: 'b' }, { name: 'a' }],
    })
  })

  it('keeps only what $retainKeys names', () => {
    const spec = { volumes: [{ name: 'v', emptyDir: {} }] }
    expect(merged(spec, { volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] })).toEqual({
      volumes: [{ name: 'v', secret: { secretName: 's' } }],
    })
  })

  it('merges lists of scalars and deletes from them', () => {
    const account = wireType('io.k8s.api.core.v1.ServiceAccount')
    const finalizers = (patch: object) => strategicMerge(freezeJson({ metadata: { finalizers: ['a', 'b'] } }), { metadata: patch }, account)
    expect(finalizers({ finalizers: ['c'] })).toEqual({ metadata: { finalizers: ['c', 'a', 'b'] } })
    expect(finalizers({ '$deleteFromPrimitiveList/finalizers': ['a'] })).toEqual({ metadata: { finalizers: ['b'] } })
    expect(finalizers({ '$setElementOrder/finalizers': ['b', 'c', 'a'], finalizers: ['c'] })).toEqual({
      metadata: { finalizers: ['b', 'c', 'a'] },
    })
  })

  it('merges maps such as the data of a ConfigMap', () => {
    const patch = JSON.parse('{"data":{"a":null,"__proto__":"x"},"binaryData":null}')
    const result = strategicMerge(freezeJson({ data: { a: '1', b: '2' } }), patch, wireType('io.k8s.api.core.v1.ConfigMap'))
    expect(JSON.stringify(result)).toBe('{"data":{"b":"2","__proto__":"x"}}')
  })

  it.each([
    'text',
    { $patch: 'sing' },
    { $odd: 1 },
    { spec: { template: { spec: { containers: [{ image: 'x' }] } } } },
    { spec: { template: { spec: { containers: ['x'] } } } },
    { spec: { template: { spec: { containers: [{ $patch: 'delete' }] } } } },
    { spec: { template: { spec: { containers: [{ name: 'a' }], '$setElementOrder/containers': [{ name: 'b' }] } } } },
    { spec: { $retainKeys: ['a'], b: 1 } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': 'a' } },
  ])('refuses %j', patch => {
    expect(() => strategicMerge(pod({ containers: [{ name: 'a' }] }), patch, job)).toThrowError(
      /^Cannot apply the strategic merge patch: ./,
    )
  })
})
