import type { Millis } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { NewObject, ObjectKey, ResourceRef } from '../ports/index.ts'
import type { Invariant, Sight } from './invariant.ts'
import type { ProcessPorts, Running } from './process.ts'
import type { Stage } from './stage.ts'

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
