import { conditionOf } from '../core/condition.ts'
import type { Millis } from '../core/duration.ts'
import { parseInstant } from '../core/instant.ts'
import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { Plan } from '../core/plan.ts'
import type { Clock, Ids, Log } from '../ports/index.ts'
import { backoff } from './backoff.ts'
import { remember } from './history.ts'
import { type Memory, nextLook } from './memory.ts'
import type { Metrics } from './metrics.ts'
import type { Recorder } from './recorder.ts'
import type { Failure, Result } from './result.ts'

export interface AftermathPorts {
  readonly controller: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly recorder: Recorder
}

/** Tells everybody how a reconcile ended, and says when to look again: 0 at once, undefined when something changes. */
export function aftermath(
  ports: AftermathPorts,
  key: string,
  seen: KubeObject,
  memory: Memory,
  result: Result,
  took: Millis,
): Millis | undefined {
  const { controller, clock, ids, log, metrics } = ports
  const pause = (n: number): Millis => backoff(n, ids)
  const said = sentenceOf(result)
  const isNews = remember(memory, controller, said, clock.now())
  metrics.reconciled(controller, outcomeOf(result), took)
  switch (result.is) {
    case 'planned': {
      const { plan, changed } = result
      memory.failures = 0
      memory.refused = undefined
      memory.last = { because: plan.because }
      if (isNews) log[changed || plan.actions.length > 0 ? 'info' : 'debug'](plan.because, { controller, object: key })
      tellPlan(ports, seen, plan, memory)
      return nextLook(plan, changed, memory, pause)
    }
    case 'overtaken':
      log.debug(said, { controller, object: key })
      // Of our own object the cache will show the newer state soon; of another, nobody may ever tell us.
      return result.need ? 0 : pause(1)
    case 'failed': {
      const { fault, verb, plan } = result
      memory.failures++
      memory.repeats = 0
      memory.last = {
        because: plan?.because ?? said,
        failed: { do: verb ?? result.step, code: fault.code, message: fault.message },
      }
      if (plan) tellPlan(ports, seen, plan, memory)
      if (fault.retry === 'never' && verb !== undefined) memory.refused = refusedBy(result, verb)
      const again = fault.retry === 'backoff' ? pause(memory.failures) : undefined
      log.warn(said, { controller, object: key, code: fault.code, ...(again === undefined ? {} : { againMs: again }), ...causeOf(result) })
      return again
    }
    default:
      return result satisfies never
  }
}

const sentenceOf = (result: Result): string =>
  result.is === 'planned' ? result.plan.because : result.is === 'overtaken' ? result.because : result.fault.message

function outcomeOf(result: Result): string {
  if (result.is === 'failed') return result.fault.code
  if (result.is === 'overtaken') return 'overtaken'
  const { actions, again } = result.plan
  return actions.length > 0 ? 'acted' : again === undefined ? 'rested' : 'waits'
}

const refusedBy = ({ fault, object: { metadata } }: Failure, verb: string) => ({
  verb,
  generation: metadata.generation,
  deleting: metadata.deletionTimestamp !== undefined,
  fault,
})

/** A mistake in code is found by its stack; a fault says all there is to say. */
const causeOf = ({ fault: { cause } }: Failure): Readonly<Record<string, unknown>> =>
  cause instanceof Error && cause.stack !== undefined ? { stack: cause.stack } : {}

function tellPlan({ controller, clock, metrics, recorder }: AftermathPorts, seen: KubeObject, plan: Plan, memory: Memory): void {
  const told = plan.events.length === 0 ? '' : JSON.stringify(plan.events)
  if (told !== '' && told !== memory.told) for (const event of plan.events) recorder.record(controller, seen, event)
  memory.told = told

  const status = isObject(seen['status']) ? seen['status'] : {}
  const { phase = status['state'], phaseSince = status['stateSince'] } = status
  const next = plan.status['phase'] ?? plan.status['state']
  if (typeof phase === 'string' && typeof next === 'string' && next !== phase) {
    const since = typeof phaseSince === 'string' ? parseInstant(phaseSince) : undefined
    if (since !== undefined) metrics.left(controller, phase, Math.max(0, clock.now() - since))
  }
  const overstays = conditionOf(plan.status, 'Overstayed')?.status === 'True'
  memory.overstayed = overstays && typeof phase === 'string' ? phase : undefined
}
