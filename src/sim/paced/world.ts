import type { Millis } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import { kubeClient } from '../../kube/index.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { ResourceRef, Transport, User } from '../../ports/index.ts'
import { pacedClock } from '../clock/paced.ts'
import type { Timeline } from '../clock/timeline.ts'
import { root } from '../people.ts'
import type { Running } from '../process.ts'
import { seeded, seededIds } from '../seed.ts'
import type { Host, SimulationOptions } from '../simulation.ts'
import { isBehind } from './revision.ts'
import { openTraffic } from './traffic.ts'
import { openWitness, type Witness } from './witness.ts'

/** An API server behind sockets, wherever it is. Its clock may be ours, or the wall's. */
export interface RealApi {
  as(user: User): Transport
  /** Makes it serve these kinds. */
  install(crds: readonly KubeObject[]): Promise<void>
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
  /** Time waits for this process too, until the returned function is called; not while it is away, and until it has caught up then. */
  follow: NonNullable<SimulationOptions['follow']>
  /** From now on time waits until everything that was written is told: call it when the kinds are there. */
  begin(crds: readonly KubeObject[]): Promise<void>
  close(): Promise<void>
}

export async function openPacedWorld({ kinds, ours, wall, api: open }: PacedOptions): Promise<PacedWorld> {
  const traffic = openTraffic()
  const followed = new Set<() => string | undefined>()
  let witness: Witness | undefined
  const clock = pacedClock({
    start: wall(),
    wall,
    holds: () => traffic.busy() ?? witness?.waits() ?? [...followed].map(waits => waits()).find(why => why !== undefined),
  })
  const api = await open(clock)
  const as = (user: User): Transport => traffic.through(api.as(user))
  // Whoever judges comes back in the wall's time when a watch of his breaks: simulated time stands meanwhile.
  const kube = kubeClient(as(root), { clock: wallClock, ids: seededIds(seeded('witness')) })
  return {
    clock,
    host: {
      as,
      objects: of => witness?.objects(of) ?? [],
    },
    follow(running, isAway) {
      let isLate = false
      const waits = (): string | undefined => {
        if (isAway()) isLate = true
        const why = isAway() ? undefined : behind(running, witness)
        if (why === undefined && !isAway()) isLate = false
        return isLate ? undefined : why
      }
      followed.add(waits)
      return () => void followed.delete(waits)
    },
    async begin(crds) {
      await api.install(crds)
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

function behind(running: Pick<Running, 'busy' | 'caches'>, witness: Witness | undefined): string | undefined {
  for (const { of, revision } of running.caches?.() ?? []) {
    if (witness && !witness.watches(of))
      return `nobody knows how far a cache of ${of.plural} should be: it is not among the kinds of this world`
    const told = witness?.due(of)
    if (told !== undefined && isBehind(revision, told)) return `a cache of ${of.plural} is at ${revision}, not at ${told}`
  }
  return running.busy?.()
}
