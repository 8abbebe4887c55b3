import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Kube, ResourceRef } from '../ports/index.ts'
import type { Invariant, Sight } from './invariant.ts'
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
