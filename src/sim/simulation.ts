import { type Millis, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import { kubeClient } from '../kube/index.ts'
import type { Clock, Kube, ResourceRef, Transport, User } from '../ports/index.ts'
import { type ActionLog, openActionLog } from './action-log.ts'
import type { Timeline } from './clock/timeline.ts'
import type { PlannedFault } from './faults/fault.ts'
import { type Injector, openInjector } from './faults/injector.ts'
import { root } from './people.ts'
import { type Incarnation, incarnate, type Program, type Running, type Said, type Surroundings } from './process.ts'
import { seeded, seededIds } from './seed.ts'

/** Where the API of a simulated world is served, and what can be seen of it without asking. */
export interface Host {
  as(user: User): Transport
  objects(of: ResourceRef): readonly KubeObject[]
  /** Dies and comes back; left out where it cannot (a real server). */
  crash?(): void
  start?(): Promise<void>
}

export interface SimulationOptions {
  readonly seed: string
  readonly clock: Timeline
  readonly host: Host
  readonly plan?: readonly PlannedFault[]
  /** What people may do at any moment, and take back: for faults of that kind. */
  meddle?(user: Kube, clock: Clock): Promise<void>
  /** Told of each process that starts, and whether it can be waited for just now; what it returns is called when the process is over. */
  follow?(running: Pick<Running, 'busy' | 'caches'>, isAway: () => boolean): () => void
  /** The API server dies with any process, as in one-process mode. */
  readonly together?: boolean
  /** How long a crashed process is away. */
  readonly restartAfter?: Millis
  /** How long a stopped process stands still: longer than a lease lasts. */
  readonly stopsFor?: Millis
}

/** One world: an API server, processes, devices, and time that passes when told. */
export interface Simulation {
  readonly clock: Timeline
  readonly log: ActionLog
  readonly said: readonly Said[]
  readonly injector: Injector
  readonly host: Host
  /** As a person who may do everything. */
  readonly user: Kube
  start(name: string, program: Program): void
  crash(name: string): void
  halt(name: string): void
  resume(name: string): void
  jump(name: string, by: Millis): void
  /** Lets time pass until it is so, for at most `within`. `look` is called whenever the world has settled. */
  run(within: Millis, until: () => boolean | Promise<boolean>, look?: () => void): Promise<boolean>
  /** Stops every process in good order and says what they left behind. */
  close(): Promise<readonly string[]>
}

interface Slot {
  readonly program: Program
  incarnation: number
  current: Incarnation | undefined
  running: Running | undefined
  unfollow: () => void
}

interface Corpse {
  readonly tag: string
  readonly incarnation: Incarnation
  /** What it still asked within the turn in which it died. */
  ghosts: number | undefined
}

/** A world in which more than this happens is in a storm: one that would go on for ever at a single instant. */
const storm = 20_000

export function openSimulation(options: SimulationOptions): Simulation {
  const { clock, host, seed, together = false, restartAfter = seconds(5), stopsFor = seconds(60) } = options
  const random = seeded(seed)
  const log = openActionLog()
  const said: Said[] = []
  const injector = openInjector(options.plan ?? [], () => log.entries.length)
  const slots = new Map<string, Slot>()
  const corpses: Corpse[] = []
  const user = kubeClient(host.as(root), { clock, ids: seededIds(random.fork('user')) })
  let closing = false
  const surroundings: Surroundings = {
    clock,
    random,
    injector,
    log,
    said,
    api: name =>
      stormy(host.as({ name: `system:serviceaccount:rackwright-system:${name}`, groups: ['system:masters', 'system:authenticated'] })),
    somebodyElse: host.as(root),
    crash,
    halt,
    meddle: async () => options.meddle?.(user, clock),
  }

  /** Past the limit nothing is answered any more: the run comes to rest and fails, instead of never ending. */
  const stormy =
    (transport: Transport): Transport =>
    request => {
      if (log.entries.length > storm) return new Promise(() => {})
      return transport(request)
    }

  const note = (by: string, call: string): void => log.add({ at: clock.elapsed(), by, what: 'life', call, nth: 0 })

  function boot(name: string): void {
    const slot = slots.get(name)!
    slot.incarnation++
    const current = incarnate(surroundings, name, slot.incarnation, slot.program)
    slot.current = current
    slot.running = current.begin()
    const isAway = (): boolean => current.life.state === 'stopped' || current.way.isCut
    slot.unfollow = options.follow?.(slot.running, isAway) ?? (() => {})
    if (current.life.state === 'dead') slot.unfollow()
  }

  function crash(name: string): void {
    const slot = slots.get(name)
    if (!slot?.current) return
    const { current } = slot
    slot.current = undefined
    slot.unfollow()
    note(current.tag, 'dies')
    current.life.die()
    corpses.push({ tag: current.tag, incarnation: current, ghosts: undefined })
    if (together) {
      host.crash?.()
      for (const other of slots.keys()) crash(other)
    }
    clock.after(restartAfter, () => void restart(name))
  }

  async function restart(name: string): Promise<void> {
    if (closing) return
    if (together) await host.start?.()
    boot(name)
  }

  function halt(name: string): void {
    const current = slots.get(name)?.current
    if (!current) return
    note(current.tag, 'stands still')
    current.life.stop()
    clock.after(stopsFor, () => resume(name))
  }

  function resume(name: string): void {
    const current = slots.get(name)?.current
    if (current?.life.state !== 'stopped') return
    note(current.tag, 'goes on')
    current.life.resume()
  }

  async function settle(): Promise<void> {
    await clock.settle()
    for (const corpse of corpses) corpse.ghosts ??= corpse.incarnation.life.ghosts
    if (log.entries.length > storm) throw new Fault('sim/storm', `Cannot go on: more than ${storm} things happened`, 'never')
  }

  async function run(within: Millis, until: () => boolean | Promise<boolean>, look?: () => void): Promise<boolean> {
    const end = clock.elapsed() + within
    while (true) {
      await settle()
      look?.()
      if (await until()) return true
      if (!clock.advance(end)) {
        await settle()
        look?.()
        return until()
      }
    }
  }

  return {
    clock,
    log,
    said,
    injector,
    host,
    user,
    start(name, program) {
      slots.set(name, { program, incarnation: 0, current: undefined, running: undefined, unfollow: () => {} })
      boot(name)
    },
    crash,
    halt,
    resume,
    jump: (name, by) => slots.get(name)?.current?.clock.jump(by),
    run,
    async close() {
      closing = true
      const live = [...slots.values()].flatMap(({ current, running }) => (current && running ? [{ ...current, running }] : []))
      for (const { life } of live) life.resume()
      let stopped = false
      void Promise.all(live.map(({ running }) => running.stop())).then(() => (stopped = true))
      const ended = await run(seconds(120), () => stopped)
      return [
        ...(ended ? [] : ['a process did not stop within two minutes']),
        ...live.filter(({ clock }) => clock.timers > 0).map(({ tag, clock }) => `${tag} left ${clock.timers} timers behind`),
        ...corpses
          .filter(({ incarnation: { life }, ghosts }) => life.ghosts > (ghosts ?? life.ghosts))
          .map(({ tag, incarnation: { life }, ghosts }) => `${tag} asked for ${life.ghosts - (ghosts ?? 0)} things after its death`),
        ...corpses.filter(({ incarnation: { clock } }) => clock.timers > 0).map(({ tag }) => `${tag} has timers although it is dead`),
      ]
    },
  }
}
