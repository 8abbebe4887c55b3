import { afterAll, beforeAll, describe } from 'vitest'
import { accessCases } from './access.ts'
import { collectionCases } from './collections.ts'
import { crdCases } from './crds.ts'
import { objectCases } from './crud.ts'
import { deletionCases } from './deletion.ts'
import { differenceCases } from './differences.ts'
import { type Client, client, type Host } from './host.ts'
import { inputCases } from './input.ts'
import { kindCases } from './kinds.ts'
import { patchCases } from './patches.ts'
import { revisionCases } from './revisions.ts'
import { schemaCases } from './schemas.ts'
import { watchCases } from './watches.ts'

/** What every case gets: a client, and names of its own, so that cases neither meet nor depend on order. */
export interface Bench {
  readonly api: Client
  readonly host: Host
  /** A namespace made for this group of cases. */
  readonly ns: string
  /** An API group that serves Widgets. */
  readonly group: string
  fresh(prefix: string): string
  pause(): Promise<void>
}

/** The API's verbs and semantics, the same on every host. */
export function apiContract(name: string, open: () => Promise<Host>, pause: () => Promise<void>): void {
  describe(`API contract on ${name}`, () => {
    const bench = {} as { -readonly [K in keyof Bench]: Bench[K] }
    let n = 0
    beforeAll(async () => {
      bench.host = await open()
      bench.api = client(bench.host.transport)
      bench.pause = pause
      bench.fresh = prefix => {
        n += 1
        return `${prefix}-${n}`
      }
      bench.ns = 'contract'
      bench.group = 'contract.rackwright.test'
      const { namespace, widgetCrd } = await import('./objects.ts')
      const made = await bench.api.post('/api/v1/namespaces', namespace(bench.ns))
      if (made.code !== 201) throw new Error(`namespace: ${JSON.stringify(made.body)}`)
      const crd = await bench.api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd(bench.group))
      if (crd.code !== 201) throw new Error(`crd: ${JSON.stringify(crd.body)}`)
      const { eventually } = await import('./host.ts')
      await eventually(async () => (await bench.api.get(`/apis/${bench.group}/v1/widgets`)).code === 200, pause)
    })
    afterAll(() => bench.host?.close())
    describe('objects', () => objectCases(bench))
    describe('collections', () => collectionCases(bench))
    describe('watches', () => watchCases(bench))
    describe('patches', () => patchCases(bench))
    describe('deletion', () => deletionCases(bench))
    describe('custom kinds', () => crdCases(bench))
    describe('schemas and versions', () => schemaCases(bench))
    describe('differences', () => differenceCases(bench))
    describe('bad input', () => inputCases(bench))
    describe('kinds', () => kindCases(bench))
    describe('revisions and options', () => revisionCases(bench))
    describe('access', () => accessCases(bench))
  })
}
