import { type Millis, seconds } from '../../core/duration.ts'
import type { Clock } from '../../ports/index.ts'
import type { ActionLog } from '../action-log.ts'
import type { ProcessClock } from '../clock/process-clock.ts'
import { type Life, never } from '../life.ts'
import { clockJumps, type PointKind } from './fault.ts'
import type { Injector, Passed } from './injector.ts'
import type { Way } from './way.ts'

/** One simulated process, as the faults see it. */
export interface Victim {
  readonly name: string
  /** The name with its restarts, for the log. */
  readonly tag: string
  readonly life: Life
  readonly clock: ProcessClock
  /** Time of the world, which does not end with the process. */
  readonly world: Clock
  readonly injector: Injector
  readonly log: ActionLog
  /** Until when calls of a name do not get through. */
  readonly outages: Map<string, Millis>
  /** To the API server, for everything. */
  readonly way: Way
  /** Dies at once, and comes back after a while. */
  crash(): void
  /** Stands still at once, and goes on after a while. */
  halt(): void
  /** What people may do at any moment, and take back. */
  meddle(): Promise<void>
}

/** One call that changes or reads the outside. */
export interface Exchange<T> {
  readonly call: string
  readonly kind: PointKind
  /** What is asked, for the log. */
  readonly asked?: unknown
  readonly signal?: AbortSignal | undefined
  /** How long the caller waits for an answer that does not come, unless its signal fires before. */
  readonly patience: Millis
  /** What it goes over; a device has a wire of its own. */
  readonly way?: Way
  effect(): Promise<T>
  /** The answer in short, for the log. */
  told(answer: T): unknown
  /** Somebody else changes what this call is about. */
  overtake?(): Promise<void>
  /** Somebody else removes it and makes it anew. */
  recreate?(): Promise<void>
}

/** How long an outage lasts that begins with a call. */
const outage = seconds(30)
/** How long after the caller gave up a late call takes effect. */
const lateness = seconds(5)

/** Carries one call to the world and its answer back, unless the plan has something against it. */
export async function exchange<T>(victim: Victim, what: Exchange<T>): Promise<T> {
  const { life, log, world } = victim
  if (!life.asks()) return never()
  const point = victim.injector.pass(victim.name, what.call, what.kind)
  const named = { by: victim.tag, call: what.call, nth: point.nth, ...(what.kind === 'device read' ? { reads: true as const } : {}) }
  const note = (kind: 'asks' | 'effect' | 'hears' | 'fault', detail?: unknown): void =>
    log.add({ ...named, at: world.elapsed(), what: kind, ...(detail === undefined ? {} : { detail }) })
  note('asks', what.asked)
  if (point.mode) note('fault', point.mode)
  const effect = async (): Promise<T> => {
    try {
      const answer = await what.effect()
      if (what.kind !== 'device read') note('effect', what.told(answer))
      return answer
    } catch (error) {
      note('effect', { refused: messageOf(error) })
      throw error
    }
  }
  try {
    const answer = await life.hear(outcome(victim, what, point, effect))
    note('hears', what.told(answer))
    return answer
  } catch (error) {
    note('hears', { error: messageOf(error) })
    throw error
  }
}

async function outcome<T>(victim: Victim, what: Exchange<T>, { mode }: Passed, effect: () => Promise<T>): Promise<T> {
  what.way?.pass()
  switch (mode) {
    case undefined:
      if ((victim.outages.get(what.call) ?? 0) > victim.world.elapsed()) throw new Error('connect ECONNREFUSED (simulated)')
      return effect()
    case 'crash before':
      victim.crash()
      return never()
    case 'crash after':
      await effect().catch(() => {})
      victim.crash()
      return never()
    case 'outage':
      victim.outages.set(what.call, victim.world.elapsed() + outage)
      throw new Error('connect ECONNREFUSED (simulated)')
    case 'fails':
      throw new Error('connect ECONNREFUSED (simulated)')
    case 'reply lost':
      await effect().catch(() => {})
      throw new Error('read ECONNRESET (simulated)')
    case 'twice':
      await effect().catch(() => {})
      return effect()
    case 'late':
      return late(victim, what, effect)
    case 'overtaken':
      await what.overtake?.()
      return effect()
    case 'meddled': {
      const answer = await effect()
      await victim.meddle()
      return answer
    }
    case 'recreated':
      await what.recreate?.()
      return effect()
    case 'stopped':
      victim.halt()
      return effect()
    case 'cut off':
      victim.way.cut()
      what.way?.pass()
      return effect()
    default:
      victim.clock.jump(clockJumps[mode] ?? 0)
      return effect()
  }
}

/** Nothing is heard until the caller gives up; then, when it has turned to other things, the call takes effect. */
function late<T>({ world }: Victim, { signal, patience }: Exchange<T>, effect: () => Promise<T>): Promise<T> {
  return new Promise((_, reject) => {
    const giveUp = (reason: unknown): void => {
      cancel()
      signal?.removeEventListener('abort', abort)
      world.after(lateness, () => void effect().catch(() => {}))
      reject(reason)
    }
    const abort = (): void => giveUp(signal?.reason)
    const cancel = world.after(patience, () => giveUp(new Error('read ETIMEDOUT (simulated)')))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
