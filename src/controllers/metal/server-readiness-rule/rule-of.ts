import { selectorOf } from '../../../core/selector.ts'
import type { Taint } from '../../../policy/claim/toleration.ts'
import { holdsBack, isSame, type Judged, type ReadinessRule } from '../../../policy/readiness/rule.ts'
import type { Server, ServerReadinessRule } from '../resources.ts'

export const ruleOf = ({ metadata, spec }: ServerReadinessRule): ReadinessRule => ({
  name: metadata.name,
  going: metadata.deletionTimestamp !== undefined,
  selector: selectorOf(spec.serverSelector ?? {}),
  conditions: spec.conditions,
  once: spec.enforcementMode === 'BootstrapOnly',
  taint: spec.taint,
})

export const judgedOf = ({ metadata, spec, status }: Server): Judged => ({
  labels: metadata.labels ?? {},
  annotations: metadata.annotations ?? {},
  taints: spec.taints ?? [],
  conditions: status?.conditions ?? [],
})

/** The taints of a server with those that it is about to get: nobody takes it in between. */
export function taintsOf(server: Server, rules: readonly ServerReadinessRule[]): readonly Taint[] {
  const judged = judgedOf(server)
  if (rules.length === 0) return judged.taints
  const due = rules
    .map(ruleOf)
    .filter(rule => holdsBack(rule, judged))
    .map(({ taint }) => taint)
  return [...judged.taints, ...due.filter(taint => !judged.taints.some(there => isSame(there, taint)))]
}
