import { openApiServer } from '../apiserver/server.ts'
import { type MemoryDisk, memoryDisk, memoryStore } from '../apiserver/store/memory.ts'
import { type OpenWorld, openWorld } from '../apiserver/world/index.ts'
import type { KubeObject } from '../core/object.ts'
import { kubeClient } from '../kube/index.ts'
import { type Clock, type Ids, type ResourceRef, type Store, silent, type Transport, type User } from '../ports/index.ts'
import { type ProcessClock, processClock } from './clock/process-clock.ts'
import { type Life, never, newLife } from './life.ts'
import { root } from './people.ts'

/** The API server of a simulated world: it can die and come back on its disk. */
export interface ApiHost {
  /** Straight into the handlers of whichever incarnation runs; refused while none does. */
  as(user: User): Transport
  /** What is stored at this moment, without asking. */
  objects(of: ResourceRef): readonly KubeObject[]
  /** Comes back on its disk; nothing happens where it runs. */
  start(): Promise<void>
  crash(): void
  /** Timers that its incarnations left behind. */
  readonly leaked: number
  close(): Promise<void>
}

interface Incarnation {
  readonly life: Life
  readonly clock: ProcessClock
  readonly world: OpenWorld
  as(user: User): Transport
  close(): Promise<void>
}

export async function openApiHost(clock: Clock, ids: Ids, disk: MemoryDisk): Promise<ApiHost> {
  let current: Incarnation | undefined
  let last: Incarnation | undefined
  const start = async (): Promise<void> => {
    const life = newLife()
    const own = processClock(clock, life)
    const world = await openWorld({ store: mortal(life, memoryStore(disk)), log: silent })
    const server = await openApiServer({ world, clock: own, ids, log: silent })
    last = { life, clock: own, world, as: server.transportAs, close: server.close }
    current = last
  }
  let starting: Promise<void> | undefined = start()
  await starting
  return {
    as: user => async request => {
      if (!current) throw new Error('connect ECONNREFUSED (simulated)')
      const { life, as } = current
      const answer = await unlessDead(life, as(user)(request))
      return answer.shared && 'events' in answer.shared ? { ...answer, shared: { events: connected(life, answer.shared.events) } } : answer
    },
    objects: of => last!.world.list(`${of.group}/${of.plural}`).map(entry => entry.object),
    start: () => (starting ??= start()),
    crash() {
      current?.life.die()
      current = undefined
      starting = undefined
    },
    get leaked() {
      return last!.clock.timers
    },
    async close() {
      await current?.close()
      current = undefined
    },
  }
}

/** The answer of a server, or the broken connection that its death is. */
function unlessDead<T>(life: Life, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = life.onDeath(() => reject(new Error('read ECONNRESET (simulated)')))
    life.hear(answer).then(
      value => {
        forget()
        resolve(value)
      },
      (error: unknown) => {
        forget()
        reject(error)
      },
    )
  })
}

async function* connected<T>(life: Life, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = await unlessDead(life, iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    void iterator.return?.()
  }
}

/** A disk takes nothing from the dead. */
function mortal(life: Life, store: Store): Store {
  return { ...store, append: batch => (life.asks() ? life.hear(store.append(batch)) : never()) }
}

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** A disk with the server's own furniture and these CRDs on it, made once and copied for each run. */
export async function furnishedDisk(clock: Clock, ids: Ids, crds: readonly KubeObject[], settle: () => Promise<void>): Promise<MemoryDisk> {
  const disk = memoryDisk()
  const host = await openApiHost(clock, ids, disk)
  const kube = kubeClient(host.as(root), { clock, ids })
  for (const crd of crds) await kube.create(definitions, crd)
  await settle()
  await host.close()
  return disk
}

export const copyDisk = (disk: MemoryDisk): MemoryDisk => ({ rows: new Map(disk.rows), backups: new Map(), state: disk.state })
