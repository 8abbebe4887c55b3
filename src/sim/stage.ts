import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Kube, NewObject, ObjectKey, ResourceRef } from '../ports/index.ts'
import type { Invariant, Sight } from './invariant.ts'
import type { ProcessPorts, Running } from './process.ts'
import type { Simulation } from './simulation.ts'

/** What a story is played on; the words of a domain are made of this. */
export interface Stage<Devices> {
  readonly sim: Simulation
  readonly devices: Devices
  readonly sight: Sight<Devices>
  /** Does something as a person, again if the API server is away just now. */
  asUser<T>(what: (kube: Kube) => Promise<T>): Promise<T>
  /** Lets time pass until it is so; in a run with faults it may take longer. */
  reach(within: Millis, words: string, so: (sight: Sight<Devices>) => boolean): Promise<void>
  pass(ms: Millis): Promise<void>
  hold(invariant: Invariant<Devices>): void
  /** Everything that was broken so far. */
  readonly broken: readonly string[]
  /** Looks at every invariant as the world stands. */
  look(): void
}

export interface StageOptions<Devices> {
  readonly sim: Simulation
  readonly devices: Devices
  /** What faults may cost beyond what the story allows. */
  readonly patience: Millis
}

const tries = 60

export function openStage<Devices>({ sim, devices, patience }: StageOptions<Devices>): Stage<Devices> {
  const sight: Sight<Devices> = {
    get elapsed() {
      return sim.clock.elapsed()
    },
    log: sim.log.entries,
    devices,
    objects: <T extends KubeObject>(of: ResourceRef<T>) => sim.host.objects(of) as readonly T[],
  }
  const held: { readonly name: string; readonly check: ReturnType<Invariant<Devices>['begin']> }[] = []
  const broken: string[] = []
  const check = (one: (typeof held)[number], entry?: Parameters<(typeof held)[number]['check']>[0]): void => {
    const how = one.check(entry)
    if (how !== undefined && broken.length < 20) broken.push(`${one.name}: ${how}`)
  }
  sim.log.onEntry(entry => {
    for (const one of held) check(one, entry)
  })
  const look = (): void => {
    for (const one of held) check(one)
  }
  const stage: Stage<Devices> = {
    sim,
    devices,
    sight,
    broken,
    look,
    async asUser(what) {
      for (let i = 1; ; i++) {
        try {
          return await what(sim.user)
        } catch (error) {
          if (i >= tries || !(error instanceof Fault && error.code === 'kube/unreachable')) throw error
          await stage.pass(1_000)
        }
      }
    },
    async reach(within, words, so) {
      if (await sim.run(within + patience, () => so(sight), look)) return
      throw new Fault(
        'sim/not-reached',
        `Cannot go on with the story: "${words}" is not so after ${(within + patience) / 1_000} s`,
        'never',
      )
    },
    async pass(ms) {
      await sim.run(ms, () => false, look)
    },
    hold(invariant) {
      const one = { name: invariant.name, check: invariant.begin(sight) }
      for (const entry of sim.log.entries) check(one, entry)
      held.push(one)
    },
  }
  return stage
}

/** Words that every story knows. */
export interface Words<Devices> {
  readonly given: {
    /** Starts these processes, all of the story's program. Without it there is one, called `a`. */
    processes(...names: readonly string[]): void
  }
  readonly when: {
    creates<T extends KubeObject>(of: ResourceRef<T>, object: NewObject<T>): Promise<void>
    changes(of: ResourceRef, key: ObjectKey, merge: object): Promise<void>
    removes(of: ResourceRef, key: ObjectKey): Promise<void>
    passes(ms: Millis): Promise<void>
    crashes(process: string): void
    stands(process: string): void
    clockJumps(process: string, by: Millis): void
  }
  readonly then: {
    within(ms: Millis): { sees(words: string, so: (sight: Sight<Devices>) => boolean): Promise<void> }
    always(invariant: Invariant<Devices>): Always<Devices>
  }
}

export interface Always<Devices> {
  and(invariant: Invariant<Devices>): Always<Devices>
}

export function wordsOn<Devices>(stage: Stage<Devices>, program: (ports: ProcessPorts, devices: Devices) => Running): Words<Devices> {
  const { sim, devices } = stage
  let started = false
  const start = (...names: readonly string[]): void => {
    started = true
    for (const name of names) sim.start(name, ports => program(ports, devices))
  }
  const ready = (): void => {
    if (!started) start('a')
  }
  const always = (invariant: Invariant<Devices>): Always<Devices> => {
    stage.hold(invariant)
    return { and: always }
  }
  return {
    given: { processes: start },
    when: {
      async creates(of, object) {
        ready()
        // A reply that was lost leaves the object behind: then it is there, and that is what was wanted.
        await stage.asUser(
          async kube => (await kube.find(of, { ...object.metadata, name: object.metadata.name! })) ?? kube.create(of, object),
        )
      },
      async changes(of, key, merge) {
        ready()
        await stage.asUser(kube => kube.patch(of, key, { merge }))
      },
      async removes(of, key) {
        ready()
        await stage.asUser(async kube => {
          if (await kube.find(of, key)) await kube.delete(of, key)
        })
      },
      async passes(ms) {
        ready()
        await stage.pass(ms)
      },
      crashes: process => sim.crash(process),
      stands: process => sim.halt(process),
      clockJumps: (process, by) => sim.jump(process, by),
    },
    // biome-ignore lint/suspicious/noThenProperty: an object, not a function, so nothing takes it for a promise; stories read as sentences
    then: {
      within: ms => ({
        async sees(words, so) {
          ready()
          await stage.reach(ms, words, so)
        },
      }),
      always,
    },
  }
}
