import { crdOf } from '../src/api/crd.ts'
import type { Kind } from '../src/api/kind.ts'
import { kinds } from '../src/api/kinds.ts'
import { openApiServer } from '../src/apiserver/server.ts'
import { memoryStore } from '../src/apiserver/store/memory.ts'
import { openWorld } from '../src/apiserver/world/index.ts'
import type { KubeObject } from '../src/core/object.ts'
import { kubeClient } from '../src/kube/index.ts'
import { randomIds } from '../src/net/random-ids.ts'
import { type Kube, type ResourceRef, silent, type Transport } from '../src/ports/index.ts'
import type { Timeline } from '../src/sim/clock/timeline.ts'
import { virtualClock } from '../src/sim/clock/virtual.ts'

const crds: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

export interface Asked {
  /** Writes of objects by the controllers, Events and Leases aside. */
  writes: number
  /** Those that the API refused. */
  refused: number
  events: number
  /** Writes by kind and method. */
  readonly by: Map<string, number>
}

export interface MetalWorld {
  readonly clock: Timeline
  /** As a person. */
  readonly kube: Kube
  /** As the controllers: what they write is counted. */
  readonly counted: Kube
  readonly asked: Asked
  /** Puts an object into the store, past the API. */
  plant(resource: string, key: string, object: KubeObject): Promise<void>
  /** Lets time pass until it is so. Answers false where nothing moves any more. */
  until(so: () => boolean | Promise<boolean>, within: number): Promise<boolean>
  /** Lets time pass until the work is done. */
  passing<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The embedded API server in memory and in simulated time, with our kinds: what is measured is our own work. */
export async function metalWorld(served: readonly Kind[] = kinds): Promise<MetalWorld> {
  const clock = virtualClock()
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock, ids: randomIds, log: silent })
  const straight = server.transportAs({ name: 'bench', groups: ['system:masters', 'system:authenticated'] })
  const asked: Asked = { writes: 0, refused: 0, events: 0, by: new Map() }
  const counting: Transport = async request => {
    if (request.method === 'GET') return straight(request)
    const [, resource = ''] = /\/(?:namespaces\/[^/]+\/)?([a-z]+)(?:\/[^/?]+)?(?:\/status)?(?:\?.*)?$/.exec(request.url) ?? []
    if (resource === 'events') {
      asked.events++
      return straight(request)
    }
    const response = await straight(request)
    asked.writes++
    if (response.status >= 400) asked.refused++
    const what = `${request.method} ${resource}${request.url.includes('/status') ? '/status' : ''}`
    asked.by.set(what, (asked.by.get(what) ?? 0) + 1)
    return response
  }
  const kube = kubeClient(straight, { clock, ids: randomIds })
  for (const kind of served) await kube.create(crds, crdOf(kind) as KubeObject)
  await clock.settle()
  return {
    clock,
    kube,
    counted: kubeClient(counting, { clock, ids: randomIds }),
    asked,
    async plant(resource, key, put) {
      await world.write(resource, key, () => ({ put }))
    },
    async until(so, within) {
      const end = clock.elapsed() + within
      for (;;) {
        await clock.settle()
        if (await so()) return true
        // Timers of one instant fire together, as they would.
        if (!clock.advance(end)) return so()
        while (clock.advance(clock.elapsed())) {}
      }
    },
    async passing(work) {
      let over = false
      const end = (): void => {
        over = true
      }
      void work.then(end, end)
      while (!over) {
        await clock.settle()
        if (!over) clock.advance(clock.elapsed() + 60_000)
      }
      return work
    },
    close: () => server.close(),
  }
}

/** CPU seconds that this process used since. */
export function cpuSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1e6
}
