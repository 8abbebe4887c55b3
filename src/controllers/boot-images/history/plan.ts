import { isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { idle, type Plan } from '../../../core/plan.ts'
import type { Outcome, Verb } from './outcome.ts'
import type { Seen } from './seen.ts'

/** How many entries a history keeps. */
const longest = 20
/** A ConfigMap, a Secret or an owner may be set right without anything here hearing of it. */
const again = minutes(10)

/** The status that follows from an outcome: the same outcome twice is the same bytes. */
export function planOf({ history, gates, settings }: Seen, outcome: Outcome, now: Instant): Plan<Verb> {
  const { decision, reason, because, image, target, release, actions = [], event, canary } = outcome
  const { sync } = history
  const failing = decision === 'Failed' || reason === 'WriteFailed' || reason === 'HotLoop'
  const failures = failing ? Math.min((sync?.failures ?? 0) + 1, settings.threshold.failures) : undefined
  const generation = gates.open ? gates.generation : sync?.configMapGeneration
  const fresh = generation !== sync?.configMapGeneration
  const next = {
    decision,
    image: image ?? null,
    target: target ?? null,
    written: outcome.written ?? (target === sync?.target && decision !== 'Skipped' ? (sync?.written ?? null) : null),
    failures: failures ?? null,
    failingSince: failing ? (sync?.failingSince ?? printInstant(now)) : null,
    configMapGeneration: generation ?? null,
    canary: canary ?? (fresh ? null : (sync?.canary ?? null)),
    since: canary === 'Trying' ? printInstant(now) : fresh ? null : (sync?.since ?? null),
  }
  const last = history.details.at(-1)
  const isNews = (decision === 'Current' || reason === 'Restored') && image !== undefined && release !== undefined && last?.image !== image
  const details = isNews
    ? [...history.details, { updateTime: printInstant(now), bootImageVersion: release, configMapGeneration: generation ?? 0, image }].slice(
        -longest,
      )
    : undefined
  const condition = decision === 'Current' || reason === 'Restored' ? isTrue('Synced', reason, because) : isFalse('Synced', reason, because)
  return idle(because, {
    status: { sync: next, ...(details ? { details } : {}), conditions: [condition] },
    actions,
    events: event && sync?.decision !== decision ? [event] : [],
    ...(actions.length > 0 ? {} : failing || decision === 'Waiting' ? { again } : {}),
  })
}
