import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { step } from '../../../core/machine.ts'
import { act, idle, type Plan, release, type StatusPatch, wait } from '../../../core/plan.ts'
import { inspectAnnotation, statusAnnotation } from './annotations.ts'
import { conditionsOf } from './conditions.ts'
import { succeeded } from './errors.ts'
import { lifecycle } from './lifecycle.ts'
import type { Seen, SeenHost, Verb } from './seen.ts'
import { needsRegistration } from './work.ts'

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { host } = seen
  if (host.paused) return idle('it is paused, as its annotation says')
  // Nothing of what somebody carried over is looked at twice.
  if (host.carried)
    return act('its status was brought along', [{ do: 'takeAnnotation', name: statusAnnotation }], { status: host.carried as StatusPatch })
  if (host.hasCarried) return act('a status that came too late is taken away', [{ do: 'takeAnnotation', name: statusAnnotation }])
  // Its machine is somebody else's: going, it takes nothing along.
  if (host.deleting && seen.owner !== undefined) return act(`it is forgotten; ${seen.owner} keeps the machine`, [release])
  if (!host.deleting) {
    if (seen.owner !== undefined) return refused(host, 'OwnedByOther', `${seen.owner} has the same machine, and had it first`)
    if (seen.problems.length > 0) return refused(host, 'Invalid', seen.problems.join('; '))
  }
  const plan = step(lifecycle, host.standing, seen, now)
  const { phase, phaseSince: _, ...status } = plan.status
  return withConditions(
    host,
    typeof phase === 'string' ? moved(seen, plan, phase, now) : { ...plan, status: { ...status, ...registration(seen) } },
  )
}

const refused = (host: SeenHost, reason: string, because: string): Plan<Verb> =>
  wait(because, minutes(10), {
    status: { conditions: [isFalse('Accepted', reason, because), ...conditionsOf(host.standing.phase ?? '', host.operational)] },
  })

/** What worked is noted wherever the host stands: a new password is tried, and then kept to. */
function registration({ work, turn, credentials, host }: Seen): StatusPatch {
  if (work !== 'register' || turn?.is !== 'done' || credentials.is !== 'there' || !needsRegistration(host, credentials)) return {}
  const good = { credentials: { name: credentials.name }, credentialsVersion: credentials.version }
  return {
    ...succeeded(host),
    goodCredentials: good,
    triedCredentials: good,
    ...(turn.powered === undefined ? {} : { poweredOn: turn.powered }),
    ...(turn.systemUUID === undefined ? {} : { systemUUID: turn.systemUUID }),
  }
}

/** What a move means besides: what is installed, when it began, and what is taken away with it. */
function moved(seen: Seen, plan: Plan<Verb>, phase: string, now: Instant): Plan<Verb> {
  const { host } = seen
  const at = printInstant(now)
  const from = host.standing.phase ?? ''
  const ended = Object.hasOwn(operations, from) ? { [operations[from]!]: { end: at } } : {}
  const began = Object.hasOwn(operations, phase) ? { [operations[phase]!]: { start: at, end: null } } : {}
  const failed = from === 'provisioning' && phase === 'deprovisioning' && host.error?.type === 'provisioning error'
  const status: StatusPatch = {
    provisioning: { state: phase, ID: host.spec === undefined ? '' : (seen.order?.uid ?? ''), ...installedBy(seen, from, phase) },
    operationHistory: { ...ended, ...began },
    lastUpdated: at,
    ...registration(seen),
    ...(phase === 'provisioned' && from === 'provisioning' ? { provisioningFailCount: 0 } : {}),
    ...(failed
      ? { provisioningFailCount: (host.fails.of === host.wanted ? host.fails.count : 0) + 1, lastAttemptedImage: host.wanted ?? null }
      : {}),
    ...(failed ? {} : succeeded(host)),
    ...(failed ? { operationalStatus: 'OK', errorType: null, errorMessage: '' } : {}),
  }
  const again = phase === 'inspecting' && host.wantsInspection
  return { ...plan, status, actions: again ? [{ do: 'takeAnnotation', name: inspectAnnotation }] : plan.actions }
}

const operations: Readonly<Record<string, string>> = {
  registering: 'register',
  inspecting: 'inspect',
  provisioning: 'provision',
  deprovisioning: 'deprovision',
}

function installedBy({ host }: Seen, from: string, phase: string): object {
  const { spec } = host
  if (phase === 'provisioned')
    return {
      image: spec?.image ?? null,
      customDeploy: spec?.customDeploy ?? null,
      rootDeviceHints: spec?.rootDeviceHints ?? null,
      bootMode: spec?.bootMode ?? 'UEFI',
    }
  // Noted before anything is installed, so that whoever gives the host back knows which disc was put in.
  if (phase === 'provisioning') return { image: spec?.image ?? null, customDeploy: spec?.customDeploy ?? null }
  if (from === 'deprovisioning' && phase === 'available') return { image: null, customDeploy: null }
  return {}
}

function withConditions(host: SeenHost, plan: Plan<Verb>): Plan<Verb> {
  const provisioning = plan.status['provisioning'] as { readonly state?: string } | undefined
  const operational = (plan.status['operationalStatus'] as string | undefined) ?? host.operational
  const conditions: readonly Condition[] = [
    isTrue('Accepted', 'Accepted', ''),
    ...(host.spec?.bmc?.disableCertificateVerification
      ? [isFalse('CertificateVerified', 'Disabled', 'whatever certificate its management controller shows is believed, as its spec asks')]
      : []),
    ...conditionsOf(provisioning?.state ?? host.standing.phase ?? '', operational),
    ...(plan.status.conditions ?? []).filter(({ type }) => type !== 'Overstayed'),
  ]
  return { ...plan, status: { ...plan.status, conditions } }
}
