import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { sameJson } from '../../../core/json.ts'
import { idle, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { updateProblems } from '../../../policy/metal3/host-components.ts'
import { often, patience, seldom } from '../firmware-readings.ts'
import type { Seen } from './seen.ts'

/** Says which firmware a host has, and whether what is wanted can be written; the host brings it about. */
export function decide(seen: Seen, now: Instant): Plan<never> {
  const { sight, host, wanted } = seen
  if (seen.deleting) return idle('it is being deleted')
  if (!host) return idle('there is no host of its name')
  if (!sight) return wait('its host is not registered, or left alone', seldom)
  if (sight.is === 'silent') return wait(`cannot tell what its host has: ${sight.because}`, patience)
  const problems = updateProblems(
    wanted,
    sight.components.map(({ component }) => component),
  )
  const open = wanted.filter(({ component, url }) => !host.written.some(one => one.component === component && one.url === url))
  const conditions: readonly Condition[] = [
    problems.length > 0 ? isFalse('Valid', 'InvalidComponent', problems.join('; ')) : isTrue('Valid', 'OK', ''),
    open.length > 0
      ? isTrue('ChangeDetected', 'OK', `not written: ${open.map(({ component }) => component).join(', ')}`)
      : isFalse('ChangeDetected', 'OK', ''),
  ]
  const because = problems[0] ?? (open.length > 0 ? `its host is to write ${open[0]!.component}` : 'nothing is left to be written')
  return wait(because, open.length > 0 && host.isWorkedOn ? often : seldom, {
    status: { ...shown(seen, sight.components, now), conditions },
  })
}

type Found = Extract<Seen['sight'], { readonly is: 'there' }>['components']

function shown({ status, host }: Seen, found: Found, now: Instant): StatusPatch {
  const before = status?.components ?? []
  const at = printInstant(now)
  const components = found.map(({ component, version }) => {
    const known = before.find(one => one.component === component)
    const flashed = host?.written.find(one => one.component === component)?.version ?? known?.lastVersionFlashed
    const updatedAt = known && known.currentVersion !== version ? at : known?.updatedAt
    return {
      component,
      initialVersion: known?.initialVersion ?? version,
      currentVersion: version,
      ...(flashed === undefined ? {} : { lastVersionFlashed: flashed }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    }
  })
  const updates = (host?.written ?? []).map(({ component, url }) => ({ component, url }))
  const same = sameJson(components, before) && sameJson(updates, status?.updates ?? [])
  return { components, updates, ...(same ? {} : { lastUpdated: at }) }
}
