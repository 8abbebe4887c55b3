import type { Millis } from '../core/duration.ts'
import { kubeClient } from '../kube/index.ts'
import type { Clock, Ids, Kube, Log, ResourceRef, Transport } from '../ports/index.ts'
import type { ActionLog } from './action-log.ts'
import { type ProcessClock, processClock } from './clock/process-clock.ts'
import { throughFaults } from './faults/device.ts'
import type { Victim } from './faults/exchange.ts'
import type { Injector } from './faults/injector.ts'
import { faultyTransport } from './faults/transport.ts'
import { openWay, type Way } from './faults/way.ts'
import { type Life, newLife } from './life.ts'
import { type Random, seededIds } from './seed.ts'

/** The ports of one simulated process: everything it can reach. */
export interface ProcessPorts {
  /** Differs after every restart. */
  readonly identity: string
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** A device's port, or one role of it, as this process holds it. `reads` are the methods that change nothing. */
  device<P extends object>(name: string, port: P, reads: readonly (keyof P & string)[]): P
}

/** What a process runs. */
export type Program = (ports: ProcessPorts) => Running

export interface Running {
  /** Ends in good order; takes the time of the world if it must. */
  stop(): Promise<void>
  /** Why time must not pass yet; only a paced clock asks, a virtual one knows. */
  busy?(): string | undefined
  /** How far its caches are; for a paced clock too. */
  caches?(): readonly { readonly of: ResourceRef; readonly revision: string | undefined }[]
}

export interface Said {
  readonly at: Millis
  readonly by: string
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly what: string
  readonly about: Readonly<Record<string, unknown>> | undefined
}

/** What the world gives to each process. */
export interface Surroundings {
  readonly clock: Clock
  readonly random: Random
  readonly injector: Injector
  readonly log: ActionLog
  readonly said: Said[]
  api(name: string): Transport
  readonly somebodyElse: Transport
  crash(name: string): void
  halt(name: string): void
  meddle(): Promise<void>
}

/** One life of a process, from its start to its end. */
export interface Incarnation {
  readonly tag: string
  readonly life: Life
  readonly clock: ProcessClock
  readonly way: Way
  begin(): Running
}

/** Gives a process its life and its ports; `begin` runs the program, which may die of its first call. */
export function incarnate(world: Surroundings, name: string, incarnation: number, program: Program): Incarnation {
  const tag = incarnation === 1 ? name : `${name}.${incarnation}`
  const life = newLife()
  const clock = processClock(world.clock, life)
  const way = openWay(world.clock)
  const victim: Victim = {
    name,
    tag,
    life,
    clock,
    world: world.clock,
    injector: world.injector,
    log: world.log,
    outages: new Map(),
    way,
    crash: () => world.crash(name),
    halt: () => world.halt(name),
    meddle: world.meddle,
  }
  const ids = seededIds(world.random.fork(tag))
  const transport = faultyTransport(victim, world.api(name), world.somebodyElse)
  const log = logOf(world, tag)
  const begin = (): Running => {
    world.log.add({ at: world.clock.elapsed(), by: tag, what: 'life', call: 'starts', nth: 0 })
    return program({
      identity: tag,
      kube: kubeClient(transport, { clock, ids, log }),
      clock,
      ids,
      log,
      device: (device, port, reads) => throughFaults(victim, device, port, reads),
    })
  }
  return { tag, life, clock, way, begin }
}

function logOf({ said, clock }: Surroundings, by: string): Log {
  const line =
    (level: Said['level']) =>
    (what: string, about?: Readonly<Record<string, unknown>>): void => {
      said.push({ at: clock.elapsed(), by, level, what, about })
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
