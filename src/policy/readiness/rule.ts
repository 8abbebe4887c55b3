import { type Selector, selects } from '../../core/selector.ts'
import type { Taint } from '../claim/toleration.ts'

/** What makes a server ready, and what it bears until it is. */
export interface ReadinessRule {
  readonly name: string
  readonly going: boolean
  readonly selector: Selector
  readonly conditions: readonly { readonly type: string; readonly requiredStatus: string }[]
  readonly once: boolean
  readonly taint: Taint
}

/** What of a server counts for it. */
export interface Judged {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly conditions: readonly { readonly type: string; readonly status: string }[]
}

/** Says on a server that a rule that asks only once has had its answer. */
export const completedBy = (rule: string): string => `readiness.metal.ironcore.dev/bootstrap-completed-${rule}`

/** Whether the rule has a say about the server: one that asks once has none after that. */
const concerns = ({ name, going, selector, once }: ReadinessRule, { labels, annotations }: Judged): boolean =>
  !going && selects(selector, labels) && !(once && annotations[completedBy(name)] !== undefined)

/** Unknown is not ready: a condition that nobody reported is none of the statuses that a rule can ask for. */
const isMet = ({ conditions }: ReadinessRule, server: Judged): boolean =>
  conditions.every(({ type, requiredStatus }) => server.conditions.find(found => found.type === type)?.status === requiredStatus)

/** Whether the rule keeps claims away from the server, whether or not its taint is there yet. */
export const holdsBack = (rule: ReadinessRule, server: Judged): boolean => concerns(rule, server) && !isMet(rule, server)

export const isSame = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect

/** What has to be done to a server, with every rule heard: a taint that another rule wants, too, stays. */
export type Due = 'taint' | 'untaint' | 'untaint for good' | 'note that it was ready'

export function dueOf(rule: ReadinessRule, all: readonly ReadinessRule[], server: Judged): Due | undefined {
  const bears = server.taints.some(taint => isSame(taint, rule.taint))
  if (holdsBack(rule, server)) return bears ? undefined : 'taint'
  const ready = rule.once && concerns(rule, server)
  const wanted = all.some(other => other.name !== rule.name && isSame(other.taint, rule.taint) && holdsBack(other, server))
  if (!bears || wanted) return ready ? 'note that it was ready' : undefined
  return ready ? 'untaint for good' : leaves(rule, server) ? 'untaint' : undefined
}

/** A rule that goes takes its taint along; one that asks once never touches what somebody tainted after it was answered. */
const leaves = (rule: ReadinessRule, { annotations }: Judged): boolean =>
  rule.going || !(rule.once && annotations[completedBy(rule.name)] !== undefined)
