import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Answer, type Body, eventually } from './host.ts'
import { cms, configMap, widget, widgetCrd } from './objects.ts'

/** One question that the two hosts answer differently, with what each says and why ours does. docs/api-server.md holds the same rows. */
export interface Difference {
  readonly case: string
  readonly kubernetes: string
  readonly here: string
  readonly why: string
  ask(bench: Bench): Promise<string>
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const says = ({ code, body }: Answer): string => (code < 400 ? String(code) : `${code} ${body.reason ?? ''}`.trim())
const widgets = ({ group, ns }: Bench): string => `/apis/${group}/v1/namespaces/${ns}/widgets`

/** A CRD of its own, changed before it is sent; taken away again. */
async function offer(bench: Bench, change: (crd: Body) => void): Promise<string> {
  const crd: Body = widgetCrd(`${bench.fresh('g')}.rackwright.test`)
  change(crd)
  const answer = await bench.api.post(crds, crd)
  if (answer.code === 201) await bench.api.delete(`${crds}/${crd.metadata.name}`)
  return says(answer)
}

/** A question to a kind of its own, asked as soon as the kind is served. */
async function withCrd(bench: Bench, change: (crd: Body) => void, ask: (path: string, group: string) => Promise<Answer>): Promise<string> {
  const group = `${bench.fresh('g')}.rackwright.test`
  const crd: Body = widgetCrd(group)
  change(crd)
  const made = await bench.api.post(crds, crd)
  if (made.code !== 201) return says(made)
  const path = `/apis/${group}/v1/namespaces/${bench.ns}/widgets`
  await eventually(async () => (await bench.api.get(path)).code === 200, bench.pause)
  const answer = says(await ask(path, group))
  await bench.api.delete(`${crds}/${crd.metadata.name}`)
  return answer
}

export const differences: readonly Difference[] = [
  {
    case: 'watch from a `resourceVersion` that is no number',
    kubernetes: '500',
    here: '400 BadRequest',
    why: 'bad input is not our failure',
    ask: async bench => says(await bench.api.get(`${cms(bench.ns)}?watch=true&resourceVersion=abc`)),
  },
  {
    case: 'body `null`',
    kubernetes: '422 Invalid',
    here: '400 BadRequest',
    why: 'nobody means an empty object by it',
    ask: async bench => says(await bench.api.post(cms(bench.ns), 'null')),
  },
  {
    case: 'a printer column whose JSONPath is broken',
    kubernetes: '201',
    here: '422 Invalid',
    why: 'said when it can be mended; there the column stays empty',
    ask: bench =>
      offer(bench, crd => {
        crd.spec.versions[0].additionalPrinterColumns = [{ name: 'X', type: 'string', jsonPath: '.spec[' }]
      }),
  },
  {
    case: 'a key `__proto__` in a body',
    kubernetes: '201',
    here: '400 BadRequest',
    why: 'no handler ever meets it',
    ask: async bench =>
      says(
        await bench.api.post(
          cms(bench.ns),
          `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${bench.fresh('p')}"},"__proto__":{"a":"b"}}`,
        ),
      ),
  },
  {
    case: 'create of an object that has a `resourceVersion`',
    kubernetes: '500',
    here: '400 BadRequest',
    why: 'bad input is not our failure',
    ask: async bench => {
      const name = bench.fresh('r')
      return says(await bench.api.post(cms(bench.ns), { ...configMap(name), metadata: { name, resourceVersion: '5' } }))
    },
  },
  {
    case: 'the field that a refusal by `oneOf` names',
    kubernetes: '<nil>',
    here: 'spec.either',
    why: 'a person must find it',
    ask: async bench => {
      const { body } = await bench.api.post(`/apis/${bench.group}/v1/gauges`, {
        apiVersion: `${bench.group}/v1`,
        kind: 'Gauge',
        metadata: { name: bench.fresh('o') },
        spec: { either: { a: 'x', b: 'y' } },
      })
      return body.details.causes[0].field
    },
  },
  {
    case: 'server-side apply',
    kubernetes: '200',
    here: '415 UnsupportedMediaType',
    why: 'not built yet',
    ask: async bench => {
      const name = bench.fresh('a')
      await bench.api.post(cms(bench.ns), configMap(name))
      return says(
        await bench.api.patch(`${cms(bench.ns)}/${name}?fieldManager=me&force=true`, configMap(name, { data: { a: '1' } }), 'apply'),
      )
    },
  },
  {
    case: 'an object that breaks a CEL rule of its CRD',
    kubernetes: '422 Invalid',
    here: '201',
    why: 'CEL is not built yet: rules within one object are not checked here',
    ask: bench =>
      withCrd(
        bench,
        crd => {
          crd.spec.versions[0].schema.openAPIV3Schema.properties.spec['x-kubernetes-validations'] = [{ rule: 'self.size > 5' }]
        },
        (path, group) => bench.api.post(path, widget(group, 'small', { size: 1 })),
      ),
  },
  {
    case: 'the subresource `scale` of a CRD that declares it',
    kubernetes: '200',
    here: '404 NotFound',
    why: 'none of our kinds scales',
    ask: bench =>
      withCrd(
        bench,
        crd => {
          crd.spec.versions[0].subresources.scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' }
          crd.spec.versions[0].schema.openAPIV3Schema.properties.status.properties.size = { type: 'integer' }
        },
        async (path, group) => {
          await bench.api.post(path, widget(group, 'one'))
          return bench.api.get(`${path}/one/scale`)
        },
      ),
  },
  {
    case: '`metadata.managedFields`',
    kubernetes: 'kept',
    here: 'absent',
    why: 'comes with server-side apply',
    ask: async bench => {
      const { body } = await bench.api.post(widgets(bench), widget(bench.group, bench.fresh('m')))
      return body.metadata.managedFields === undefined ? 'absent' : 'kept'
    },
  },
  {
    case: 'an answer in protobuf',
    kubernetes: 'application/vnd.kubernetes.protobuf',
    here: 'application/json',
    why: 'clients that ask for it take JSON too, as they offer',
    ask: async bench => {
      const { headers } = await bench.api.get(cms(bench.ns), 'application/vnd.kubernetes.protobuf,application/json')
      return headers['content-type'] ?? ''
    },
  },
  {
    case: '`/openapi/v2`',
    kubernetes: '200',
    here: '404 NotFound',
    why: 'every client of today reads v3',
    ask: async bench => says(await bench.api.get('/openapi/v2')),
  },
  {
    case: 'pods, nodes and other kinds of a cluster that runs containers',
    kubernetes: '200',
    here: '404 NotFound',
    why: 'there are none to run here',
    ask: async bench => says(await bench.api.get('/api/v1/pods')),
  },
]

export function differenceCases(bench: Bench): void {
  for (const difference of differences)
    it(`${difference.case}: ${difference.why}`, async () => expect(await difference.ask(bench)).toBe(difference[bench.host.is]))
}

/** The rows as the page shows them. */
export const rows = (): readonly string[] =>
  differences.map(({ case: asked, kubernetes, here, why }) => `| ${asked} | ${kubernetes} | ${here} | ${why} |`)
