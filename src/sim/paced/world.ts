import type { Millis } from '../../core/duration.ts'
import { kubeClient } from '../../kube/index.ts'
import type { ResourceRef, Transport, User } from '../../ports/index.ts'
import { pacedClock } from '../clock/paced.ts'
import type { Timeline } from '../clock/timeline.ts'
import { root } from '../people.ts'
import type { Running } from '../process.ts'
import { seeded, seededIds } from '../seed.ts'
import type { Host } from '../simulation.ts'
import { openTraffic } from './traffic.ts'
import { isBehind, openWitness, type Witness } from './witness.ts'

/** An API server behind sockets, wherever it is. Its clock may be ours, or the wall's. */
export interface RealApi {
  as(user: User): Transport
  close(): Promise<void>
}

export interface PacedOptions {
  readonly kinds: readonly ResourceRef[]
  ours(finalizer: string): boolean
  readonly wall: () => Millis
  /** Opens the server, before the first process. */
  api(clock: Timeline): Promise<RealApi>
}

/** A world over real sockets, whose time waits for them. */
export interface PacedWorld {
  readonly clock: Timeline
  readonly host: Host
  /** Time waits for this process too, until the returned function is called. */
  follow(running: Running): () => void
  /** From now on time waits until everything that was written is told: call it when the kinds are there. */
  begin(): Promise<void>
  close(): Promise<void>
}

export async function openPacedWorld({ kinds, ours, wall, api: open }: PacedOptions): Promise<PacedWorld> {
  const traffic = openTraffic()
  const followed = new Set<Running>()
  let witness: Witness | undefined
  const clock = pacedClock({
    start: wall(),
    wall,
    holds: () =>
      traffic.busy() ?? witness?.waits() ?? [...followed].map(running => behind(running, witness)).find(why => why !== undefined),
  })
  const api = await open(clock)
  const as = (user: User): Transport => traffic.through(api.as(user))
  const kube = kubeClient(as(root), { clock, ids: seededIds(seeded('witness')) })
  return {
    clock,
    host: {
      as,
      objects: of => witness?.objects(of) ?? [],
    },
    follow(running) {
      followed.add(running)
      return () => void followed.delete(running)
    },
    async begin() {
      witness = openWitness({ kube, kinds, traffic, ours })
      await clock.settle()
    },
    async close() {
      followed.clear()
      await witness?.close()
      await api.close()
    },
  }
}

function behind(running: Running, witness: Witness | undefined): string | undefined {
  for (const { of, revision } of running.caches?.() ?? []) {
    const told = witness?.revision(of.plural)
    if (told !== undefined && isBehind(revision, told)) return `a cache of ${of.plural} is at ${revision}, not at ${told}`
  }
  return running.busy?.()
}
