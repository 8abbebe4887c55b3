import { crdOf } from '../../src/api/crd.ts'
import { type Kind, kind } from '../../src/api/kind.ts'
import { integer, object, optional, string } from '../../src/api/schema.ts'
import { conditions, observedGeneration } from '../../src/api/shapes.ts'
import { openApiServer } from '../../src/apiserver/server.ts'
import { memoryStore } from '../../src/apiserver/store/memory.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import {
  type HttpRequest,
  type HttpResponse,
  type Kube,
  type Log,
  type Reconciler,
  type ResourceRef,
  resourceOf,
  silent,
  type Transport,
} from '../../src/ports/index.ts'
import { type Controllers, type ControllersOptions, openControllers } from '../../src/runtime/index.ts'
import { type TestClock, testClock } from './clock.ts'

/** A kind with just enough to be reconciled. */
const widgetKind = kind({
  group: 'test.rackwright.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  description: 'Something to reconcile.',
  fields: {
    spec: object({ size: optional(integer('How large.')), of: optional(string('Whose.')) }, 'What is wanted.'),
    status: optional(
      object(
        {
          size: optional(integer('How large it is.')),
          phase: optional(string('Where it stands.')),
          phaseSince: optional(string('Since when.')),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What is.',
      ),
    ),
  },
  columns: [],
  example: {},
})
export const widgets = resourceOf(widgetKind)
export type Widget = typeof widgets extends ResourceRef<infer T> ? T : never

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface TestWorld {
  readonly clock: TestClock
  /** As a user has it: nothing in between. */
  readonly kube: Kube
  /** What the controllers' clients asked, in order; watches and lists too. */
  readonly asked: Asked[]
  readonly logged: { readonly level: string; readonly what: string; readonly about: Readonly<Record<string, unknown>> | undefined }[]
  /** Writes to `logged`, for whatever else is part of a test's program. */
  readonly log: Log
  writes(): readonly Asked[]
  /** Changes how the controllers' requests travel: called for each, with the way on. */
  through(way: ((request: HttpRequest, onward: Transport) => Promise<HttpResponse>) | undefined): void
  /** While held, watches tell the controllers nothing new. */
  hold(): void
  release(): void
  /** The client that controllers get. */
  readonly controllersKube: Kube
  controllers(options?: Partial<ControllersOptions>): Controllers
  widget(name: string, spec?: Widget['spec']): Promise<Widget>
  get(name: string): Promise<Widget>
  close(): Promise<void>
}

export async function testWorld(kinds: readonly Kind[] = []): Promise<TestWorld> {
  const clock = testClock()
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock, ids: randomIds, log: silent })
  const straight = server.transportAs({ name: 'admin', groups: ['system:masters', 'system:authenticated'] })
  const asked: Asked[] = []
  const logged: TestWorld['logged'] = []
  let way: ((request: HttpRequest, onward: Transport) => Promise<HttpResponse>) | undefined
  const observed: Transport = request => {
    asked.push({
      method: request.method,
      path: request.url,
      body: request.body ? JSON.parse(Buffer.from(request.body).toString()) : undefined,
    })
    return (way ? way(request, straight) : straight(request)).then(late)
  }
  let gate: Promise<void> = Promise.resolve()
  let release = (): void => {}
  const late = (response: HttpResponse): HttpResponse => {
    if (!response.shared || !('events' in response.shared)) return response
    const { events } = response.shared
    const held = async function* () {
      for await (const batch of events) {
        await gate
        yield batch
      }
    }
    return { ...response, shared: { events: held() } }
  }
  const kube = kubeClient(straight, { clock, ids: randomIds })
  const controllersKube = kubeClient(observed, { clock, ids: randomIds })
  const noting = (level: string) => (what: string, about?: Readonly<Record<string, unknown>>) => void logged.push({ level, what, about })
  const log: Log = { debug: noting('debug'), info: noting('info'), warn: noting('warn'), error: noting('error') }
  const crds: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
  for (const one of [widgetKind, ...kinds]) await kube.create(crds, crdOf(one) as KubeObject)
  await clock.settle()
  return {
    clock,
    kube,
    asked,
    logged,
    log,
    writes: () => asked.filter(({ method }) => method !== 'GET'),
    through: next => {
      way = next
    },
    hold() {
      gate = new Promise(resolve => {
        release = resolve
      })
    },
    release: () => release(),
    controllersKube,
    controllers: options => openControllers({ kube: controllersKube, clock, ids: randomIds, log, identity: 'test-1', ...options }),
    widget: (name, spec = {}) =>
      kube.create(widgets, { apiVersion: 'test.rackwright.dev/v1', kind: 'Widget', metadata: { name, namespace: 'default' }, spec }),
    get: name => kube.get(widgets, { name, namespace: 'default' }),
    close: () => server.close(),
  }
}

/** A reconciler of widgets that does nothing, with whatever a test gives it instead. */
export const widgetReconciler = <Seen>(
  given: Partial<Reconciler<Widget, Seen>> & Pick<Reconciler<Widget, Seen>, 'observe' | 'decide'>,
): Reconciler<Widget, Seen> => ({ name: 'widgets', kind: widgets, watches: [], perform: {}, ...given })
