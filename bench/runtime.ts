import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { crdOf } from '../src/api/crd.ts'
import { kind, type Of } from '../src/api/kind.ts'
import { anything, optional } from '../src/api/schema.ts'
import { openApiServer } from '../src/apiserver/server.ts'
import { memoryStore } from '../src/apiserver/store/memory.ts'
import { openWorld } from '../src/apiserver/world/index.ts'
import { minutes } from '../src/core/duration.ts'
import type { KubeObject } from '../src/core/object.ts'
import { type StatusPatch, wait } from '../src/core/plan.ts'
import { kubeClient } from '../src/kube/index.ts'
import { randomIds } from '../src/net/random-ids.ts'
import { type Cached, type Reconciler, type ResourceRef, resourceOf, silent, type Transport } from '../src/ports/index.ts'
import { type Controllers, openControllers } from '../src/runtime/index.ts'
import { virtualClock } from '../src/sim/clock/virtual.ts'
import { thing } from './things.ts'

const rackKind = kind({
  group: 'bench.rackwright.dev',
  version: 'v1',
  kind: 'Rack',
  plural: 'racks',
  scope: 'Cluster',
  description: 'Something of the size of a server.',
  fields: { spec: anything('Anything.'), status: optional(anything('Anything.')) },
  columns: [],
  example: {},
})
type Rack = Of<typeof rackKind>
const racks = resourceOf(rackKind)
const crds: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

export interface Counts {
  readonly looks: number
  readonly writes: number
  readonly lists: number
  /** Watches that go on where an earlier one ended: by time, not by objects. */
  readonly watches: number
}

/** An embedded API server in virtual time with `count` racks, and controllers that look after them. */
export async function rackWorld(count: number, decided: StatusPatch = {}) {
  const clock = virtualClock()
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock, ids: randomIds, log: silent })
  const straight = server.transportAs({ name: 'bench', groups: ['system:masters'] })
  await kubeClient(straight, { clock, ids: randomIds }).create(crds, crdOf(rackKind) as KubeObject)
  await clock.settle()
  let bytes = 0
  for (let n = 0; n < count; n++) {
    const { metadata, spec, status } = thing(n)
    const put = { apiVersion: 'bench.rackwright.dev/v1', kind: 'Rack', metadata: { ...metadata, generation: 1 }, spec, status }
    const entry = await world.write('bench.rackwright.dev/racks', metadata.name, () => ({ put }))
    bytes += entry.bytes.length
  }
  const asked = { writes: 0, lists: 0, watches: 0 }
  let looks = 0
  const counting: Transport = request => {
    if (request.method !== 'GET') asked.writes++
    else if (request.url.includes('sendInitialEvents=true')) asked.lists++
    else if (request.url.includes('watch=1')) asked.watches++
    return straight(request)
  }

  let sees: Cached | undefined
  const reconciler: Reconciler<Rack, Rack> = {
    name: 'rack',
    kind: racks,
    watches: [],
    observe: async object => {
      looks++
      return object
    },
    // Not all in the same millisecond, as they would not be.
    decide: ({ metadata }) =>
      wait('all is well', minutes(10) - (Number(metadata.name.slice('server-'.length)) % 1_000), { status: decided }),
    perform: {},
  }

  /** As over a network: bytes that the client parses itself. */
  const remote: Transport = ({ shares: _, ...request }) => counting(request)

  async function start(how: 'one process' | 'remote'): Promise<Controllers> {
    const kube = kubeClient(how === 'remote' ? remote : counting, { clock, ids: randomIds })
    const controllers = openControllers({ kube, clock, ids: randomIds, log: silent, identity: 'bench' })
    controllers.add(({ cached }) => {
      sees = cached
      return reconciler
    })
    controllers.start()
    for (let turns = 0; !controllers.settled() && turns < 1_000; turns++) await clock.settle()
    return controllers
  }

  return {
    bytes,
    start,
    /** How many objects the cache shares with the server instead of having a copy. */
    shared: () => world.list('bench.rackwright.dev/racks').filter(entry => sees?.get(racks, { name: entry.key }) === entry.object).length,
    counts(): Counts {
      const found = { looks, ...asked }
      Object.assign(asked, { writes: 0, lists: 0, watches: 0 })
      looks = 0
      return found
    },
    /** Timers of one instant fire together, as they would. */
    async pass(ms: number): Promise<void> {
      const end = clock.elapsed() + ms
      while (clock.advance(end)) {
        while (clock.advance(clock.elapsed())) {}
        await clock.settle()
      }
    },
    close: () => server.close(),
  }
}

/** Bytes in use once everything that can go is gone. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let n = 0; n < 4; n++) collect()
  return process.memoryUsage().heapUsed
}
