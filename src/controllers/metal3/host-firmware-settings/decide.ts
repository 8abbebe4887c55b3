import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, idle, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { judgeSettings, shownSettings } from '../../../policy/metal3/host-settings.ts'
import { often, patience, seldom } from '../firmware-readings.ts'
import type { Seen, Verb } from './seen.ts'

/** Says what the settings of a host are, and whether what is wanted can be; the host brings it about. */
export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { sight, host, schema, wanted } = seen
  if (seen.deleting) return idle('it is being deleted')
  if (!host) return idle('there is no host of its name')
  if (!sight) return wait('its host is not registered, or left alone', seldom)
  if (sight.is === 'silent') return wait(`cannot tell what its host has: ${sight.because}`, patience)
  if (schema && !schema.kept) return act(`what its machine says of settings is kept as ${schema.name}`, [{ do: 'keepSchema', schema }])
  if (!seen.hasComponents && sight.components.length > 0) return act('its machine lists components', [{ do: 'makeComponents' }])
  const { problems, differing } = judgeSettings(wanted, sight.settings, sight.registry)
  const conditions: readonly Condition[] = [
    problems.length > 0 ? isFalse('Valid', 'ConfigurationError', problems.join('; ')) : isTrue('Valid', 'Success', ''),
    differing.length > 0
      ? isTrue('ChangeDetected', 'Success', `not as wanted: ${differing.join(', ')}`)
      : isFalse('ChangeDetected', 'Success', ''),
  ]
  const because =
    problems[0] ?? (differing.length > 0 ? `its host is to set ${differing.join(', ')}` : 'its settings are as they are wanted')
  return wait(because, differing.length > 0 && host.isWorkedOn ? often : seldom, {
    status: { ...shown(seen, sight, now), conditions },
  })
}

function shown({ status, schema }: Seen, sight: Extract<Seen['sight'], { is: 'there' }>, now: Instant): StatusPatch {
  const settings = shownSettings(sight.settings ?? {}, sight.registry)
  const before = status?.settings ?? {}
  const gone = Object.keys(before).filter(name => !Object.hasOwn(settings, name))
  const other = gone.length > 0 || Object.entries(settings).some(([name, value]) => before[name] !== value)
  return {
    settings: { ...settings, ...Object.fromEntries(gone.map(name => [name, null])) },
    schema: schema ? { name: schema.name, namespace: schema.namespace } : null,
    ...(other ? { lastUpdated: printInstant(now) } : {}),
  }
}
