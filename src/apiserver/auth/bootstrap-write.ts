import { printInstant } from '../../core/instant.ts'
import { sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, Ids } from '../../ports/index.ts'
import type { World } from '../world/world.ts'
import { bootstrapObjects } from './bootstrap.ts'
import { rulesIn } from './policy-rule.ts'
import { rbacGroup } from './rbac-index.ts'
import { missingRules } from './rule-cover.ts'

/**
 * Sees to it that the first roles and bindings are there. What is missing is made; what lacks a rule or subject gets it back, unless
 * its autoupdate annotation says "false"; what somebody added stays.
 */
export async function writeBootstrap(world: Pick<World, 'write'>, clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uid'>): Promise<void> {
  await Promise.all(
    bootstrapObjects().map(wanted =>
      world.write(`${rbacGroup}/${wanted.kind.toLowerCase()}s`, wanted.metadata.name, current => {
        if (!current) return { put: stamped(wanted, clock, ids) }
        const next = restored(current.object, wanted)
        return next ? { put: next } : { keep: current }
      }),
    ),
  )
}

const stamped = (object: KubeObject, clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uid'>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, uid: ids.uid(), creationTimestamp: printInstant(clock.now()) },
})

/** The object with what it lacks, or undefined where it lacks nothing or is not to be touched. */
function restored(current: KubeObject, wanted: KubeObject): KubeObject | undefined {
  if (current.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false') return undefined
  const rules = missingRules(rulesIn(current['rules']), rulesIn(wanted['rules']))
  const held = list(current['subjects'])
  const subjects = list(wanted['subjects']).filter(subject => !held.some(other => sameJson(other, subject)))
  const labels = Object.entries(wanted.metadata.labels ?? {}).filter(([key, value]) => current.metadata.labels?.[key] !== value)
  const selects = !sameJson(current['aggregationRule'], wanted['aggregationRule'])
  if (rules.length === 0 && subjects.length === 0 && labels.length === 0 && !selects) return undefined
  return {
    ...current,
    metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...Object.fromEntries(labels) } },
    ...(rules.length > 0 ? { rules: [...list(current['rules']), ...rules] } : {}),
    ...(subjects.length > 0 ? { subjects: [...held, ...subjects] } : {}),
    ...(selects ? { aggregationRule: wanted['aggregationRule'] } : {}),
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
