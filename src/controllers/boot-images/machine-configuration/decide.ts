import { unsupportedPlatform } from '../../../api/openshift/admission.ts'
import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, type Millis, minutes, seconds } from '../../../core/duration.ts'
import { parseInstant } from '../../../core/instant.ts'
import { idle, type Plan } from '../../../core/plan.ts'
import type { Evidence } from '../../../policy/boot-images/evidence.ts'
import type { Gates } from '../../../policy/boot-images/gates.ts'
import type { StaleStub } from './stubs.ts'

export interface SeenResource {
  readonly history: string
  readonly namespace: string
  readonly name: string
  readonly apiVersion: string
  readonly kind: string
  readonly uid: string
  readonly resource: string
  readonly apiGroup: string
}

export interface SeenHistory {
  readonly name: string
  readonly decision: string | undefined
  readonly because: string
  readonly failures: number
  readonly failingSince: string | undefined
}

export interface Seen {
  readonly name: string
  readonly gates: Gates
  /** Something is opted in on a platform that no plug-in writes to. */
  readonly unsupported: boolean
  /** Opted in, and without a history yet. */
  readonly fresh: readonly SeenResource[]
  /** Of those that are opted in, per kind. */
  readonly enrolled: readonly { readonly title: string; readonly histories: readonly SeenHistory[] }[]
  readonly managers: unknown
  /** Whether the golden ConfigMap may be stamped now; undefined where it needs no stamp, or others stamp it. */
  readonly stamp:
    | { readonly evidence: Evidence; readonly version: string; readonly content: string; readonly unstampedFor: Millis }
    | undefined
  readonly threshold: { readonly failures: number; readonly over: Millis }
  readonly stampOverdue: Millis
  readonly staleStubs: readonly StaleStub[]
  /** A manager that calls itself partial and selects everything. */
  readonly emptySelectors: readonly string[]
}

export type Verb =
  | { readonly do: 'begin'; readonly resource: SeenResource }
  | { readonly do: 'stamp'; readonly version: string; readonly content: string }
  | { readonly do: 'renewStub'; readonly stub: StaleStub }

/** So many histories are begun in one go: a look is never long. */
const atOnce = 100

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  if (seen.name !== 'cluster') {
    const because = 'only the MachineConfiguration called cluster counts'
    return idle(because, { status: { conditions: [isFalse('Accepted', 'NotCluster', because)] } })
  }
  // Whoever keeps boot images of this cluster writes this object, too: nothing of ours belongs there.
  if (!seen.gates.open && seen.gates.reason === 'KeptByOther') return idle(seen.gates.because)
  // The same as the admission policy says, where nobody evaluates that.
  if (seen.unsupported)
    return idle(unsupportedPlatform, { status: { conditions: [isFalse('Accepted', 'UnsupportedPlatform', unsupportedPlatform)] } })
  const failing = seen.enrolled.flatMap(({ histories }) => histories).filter(({ failingSince }) => failingSince !== undefined)
  const degraded = failing.filter(history => isDegraded(seen, history, now))
  const conditions = [progressing(seen), degradedCondition(seen, degraded), isTrue('Accepted', 'Accepted', '')]
  const status = { managedBootImagesStatus: { machineManagers: seen.managers ?? null }, conditions }
  const events = seen.emptySelectors.map(which => ({
    type: 'Warning' as const,
    reason: 'SelectsEverything',
    message: `mode Partial of ${which} has an empty selector, which selects everything`,
  }))
  const stamps = seen.stamp?.evidence.shown ? [{ do: 'stamp' as const, version: seen.stamp.version, content: seen.stamp.content }] : []
  const begins = seen.fresh.slice(0, atOnce).map(resource => ({ do: 'begin' as const, resource }))
  const because = stamps.length > 0 ? `stamps ConfigMap coreos-bootimages for ${seen.stamp?.version}` : conditions[0]!.message
  return idle(because, {
    status,
    events,
    actions: [...stamps, ...begins, ...seen.staleStubs.map(stub => ({ do: 'renewStub' as const, stub }))],
    ...waitOf(seen, failing, degraded, now),
  })
}

function isDegraded({ threshold }: Seen, { failures, failingSince }: SeenHistory, now: Instant): boolean {
  const since = failingSince === undefined ? undefined : parseInstant(failingSince)
  return since !== undefined && failures >= threshold.failures && now - since >= threshold.over
}

function progressing({ enrolled, gates }: Seen): Condition {
  const all = enrolled.flatMap(({ histories }) => histories)
  const message = enrolled
    .map(({ title, histories }) => {
      const skipped = histories.filter(({ decision }) => decision === 'Skipped').length
      const current = histories.filter(({ decision }) => decision === 'Current').length
      return `Reconciled ${current} of ${histories.length} ${title}${skipped > 0 ? ` (${skipped} skipped)` : ''}`
    })
    .join(' | ')
  if (!gates.open) return isFalse('BootImageUpdateProgressing', gates.reason, gates.because)
  const busy = all.some(({ decision }) => decision === undefined || decision === 'Updating' || decision === 'Waiting')
  return busy
    ? isTrue('BootImageUpdateProgressing', 'Updating', message || 'nothing is opted in')
    : isFalse('BootImageUpdateProgressing', 'Reconciled', message || 'nothing is opted in')
}

function degradedCondition(seen: Seen, degraded: readonly SeenHistory[]): Condition {
  const { stamp, gates } = seen
  if (stamp && !stamp.evidence.shown && stamp.unstampedFor >= seen.stampOverdue)
    return isTrue(
      'BootImageUpdateDegraded',
      'StampOverdue',
      `ConfigMap coreos-bootimages waits to be stamped for ${stamp.version}: ${stamp.evidence.because}`,
    )
  if (!gates.open && gates.fails) return isTrue('BootImageUpdateDegraded', gates.reason, gates.because)
  if (degraded.length === 0) return isFalse('BootImageUpdateDegraded', 'AsExpected', '')
  const told = degraded.slice(0, 10).map(({ name, because }) => `${name}: ${because}`)
  const more = degraded.length > told.length ? [`and ${degraded.length - told.length} more`] : []
  return isTrue('BootImageUpdateDegraded', 'ResourcesFail', [`${degraded.length} machine resources fail`, ...told, ...more].join(' | '))
}

/** Nothing tells us when a time is over. */
function waitOf(seen: Seen, failing: readonly SeenHistory[], degraded: readonly SeenHistory[], now: Instant): { again?: Millis } {
  if (seen.fresh.length > 0) return {}
  const times = failing
    .filter(history => !degraded.includes(history))
    .map(({ failingSince }) => Math.max(seconds(1), (parseInstant(failingSince ?? '') ?? now) + seen.threshold.over - now))
  const stamp = seen.stamp && !seen.stamp.evidence.shown ? [minutes(1)] : []
  const next = Math.min(...times, ...stamp)
  return Number.isFinite(next) ? { again: next } : {}
}
