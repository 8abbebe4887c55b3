import type { MemoryDisk } from '../apiserver/store/memory.ts'
import { canonical } from '../core/canonical.ts'
import { hours, type Millis, minutes } from '../core/duration.ts'
import type { Entry } from './action-log.ts'
import { copyDisk, furnishedDisk, openApiHost } from './api-host.ts'
import type { Timeline } from './clock/timeline.ts'
import { virtualClock } from './clock/virtual.ts'
import type { PlannedFault } from './faults/fault.ts'
import type { Passed } from './faults/injector.ts'
import { describeEscapes, type Guard } from './guard.ts'
import type { Said } from './process.ts'
import { seeded, seededIds } from './seed.ts'
import { type Host, openSimulation, type SimulationOptions } from './simulation.ts'
import { openStage } from './stage.ts'
import type { Story } from './story.ts'
import { wordsOn } from './words.ts'

export interface RunOptions {
  readonly seed: string
  readonly plan?: readonly PlannedFault[]
  /** Made once by `prepare` and copied for each run. */
  readonly disk: MemoryDisk
  readonly guard: Guard
}

/** How one run went. */
export interface Run {
  /** Everything that should not have been, as sentences; none is a pass. */
  readonly violations: readonly string[]
  /** The end state as one text. */
  readonly end: string
  readonly passed: readonly Passed[]
  /** How many points the run had passed when the story was told; what follows is the rest. */
  readonly told: number
  readonly entries: readonly Entry[]
  readonly said: readonly Said[]
  log(): string
}

/** Nothing written for this long, more than the longest back-off, is the fixed point. */
const quiet: Millis = minutes(6)
/** Where a run with faults has not come to rest by then, it never does. */
const patience: Millis = hours(2)

/** The disk on which every run of a setting begins. */
export const prepare = async (story: Story<never, never>, guard: Guard): Promise<MemoryDisk> => {
  const clock = virtualClock({ settle: guard.turn })
  return furnishedDisk(clock, seededIds(seeded('furniture')), story.setting.crds, clock.settle)
}

/** Plays a story in virtual time, with the faults of a plan, until nothing moves any more; and says what was wrong. */
export const runStory = <D, M extends object>(story: Story<D, M>, { seed, plan = [], disk, guard }: RunOptions): Promise<Run> =>
  guard.watch(async () => {
    const clock = virtualClock({ settle: guard.turn })
    const host = await openApiHost(clock, seededIds(seeded(seed).fork('api')), copyDisk(disk))
    const close = async (): Promise<readonly string[]> => {
      await host.close()
      await clock.settle()
      return [
        ...(host.leaked > 0 ? [`the API server left ${host.leaked} timers behind`] : []),
        ...(clock.timers > 0 ? [`${clock.timers} timers are left although everything has ended`] : []),
        ...(guard.escapes.length > 0 ? [describeEscapes(guard.escapes)] : []),
      ]
    }
    return tell(story, { seed, plan, clock, host, close })
  })

export interface Telling {
  readonly seed: string
  readonly plan: readonly PlannedFault[]
  readonly clock: Timeline
  readonly host: Host
  readonly follow?: NonNullable<SimulationOptions['follow']>
  /** Ends the world; what is left of it is a violation each. */
  close(): Promise<readonly string[]>
}

/** The story from its first word to the rest after it, in whatever world. */
export async function tell<D, M extends object>({ setting, play }: Story<D, M>, world: Telling): Promise<Run> {
  const { seed, plan, clock, host, follow } = world
  const { together = false, meddle } = setting
  const sim = openSimulation({ seed, clock, host, plan, together, ...(meddle ? { meddle } : {}), ...(follow ? { follow } : {}) })
  const devices = setting.devices({ clock, random: seeded(seed).fork('devices') })
  const stage = openStage({ sim, devices, patience: plan.length > 0 ? patience : 0 })
  const words = wordsOn(stage, setting.program)
  const unfollow = setting.beside && follow?.(setting.beside(devices), () => false)
  for (const invariant of setting.invariants) stage.hold(invariant)
  const wrong: string[] = []
  const rejected = (reason: unknown): void => void wrong.push(`a promise was rejected and nobody cared: ${messageOf(reason)}`)
  process.on('unhandledRejection', rejected)
  let end = ''
  let told = 0
  try {
    await play({ ...words, ...(setting.words?.(stage) ?? ({} as M)) } as Parameters<typeof play>[0])
    told = sim.injector.passed.length
    if (!(await comesToRest(setting.rest ?? quiet, sim.log.entries, ms => sim.run(ms, () => false, stage.look), clock.elapsed)))
      wrong.push(`no fixed point: something is still written ${patience / 3_600_000} hours after the end of the story`)
    end = canonical(setting.end(stage.sight))
  } catch (error) {
    wrong.push(messageOf(error))
  }
  try {
    wrong.push(...(await sim.close()))
    unfollow?.()
    await setting.close?.(devices)
    wrong.push(...(await world.close()))
  } catch (error) {
    wrong.push(messageOf(error))
  }
  process.off('unhandledRejection', rejected)
  for (const fault of sim.injector.unused) wrong.push(`the run never came to ${fault.by}: ${fault.call}#${fault.nth}`)
  return {
    violations: [...stage.broken, ...wrong],
    end,
    passed: sim.injector.passed,
    told,
    entries: sim.log.entries,
    said: sim.said,
    log: () => sim.log.text(),
  }
}

/** Lets time pass until nothing but Leases has been written for a while. */
async function comesToRest(
  rest: Millis,
  entries: readonly Entry[],
  pass: (ms: Millis) => Promise<unknown>,
  elapsed: () => Millis,
): Promise<boolean> {
  const latest = elapsed() + patience
  let seen = 0
  let last = elapsed()
  while (elapsed() < latest) {
    for (; seen < entries.length; seen++) if (isWrite(entries[seen]!)) last = Math.max(last, entries[seen]!.at)
    const left = last + rest - elapsed()
    if (left <= 0) return true
    await pass(left)
  }
  return false
}

/** Something was written, or is about to be: a late call takes effect long after it was asked for. */
const isWrite = ({ what, call, reads }: Entry): boolean => !reads && (what === 'asks' || what === 'effect') && !call.includes(' leases')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
