import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { step } from '../../../core/machine.ts'
import { act, type Happening, idle, type Plan, release, type StatusPatch, wait } from '../../../core/plan.ts'
import { raidText } from '../../../policy/metal3/raid.ts'
import { detailsAnnotation, inspectAnnotation, statusAnnotation } from './annotations.ts'
import { conditionsOf, healthSaid } from './conditions.ts'
import { succeeded } from './errors.ts'
import type { Lack } from './firmware.ts'
import { lifecycle } from './lifecycle.ts'
import { givenUp } from './limits.ts'
import { isLeftAlone, none } from './phases.ts'
import { leaveAlone } from './rest.ts'
import type { Seen, SeenHost, Verb } from './seen.ts'
import { tried } from './turn.ts'
import { needsRegistration } from './work.ts'

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { host } = seen
  if (host.paused) return idle('it is paused, as its annotation says')
  // What cannot be read is neither taken over nor thrown away.
  if (host.hasCarried && isNew(host) && !host.deleting && seen.problems.length > 0)
    return refused(host, 'Invalid', seen.problems.join('; '))
  // Nothing of what somebody carried over is looked at twice.
  if (host.carried)
    return act('its status was brought along', [{ do: 'takeAnnotation', name: statusAnnotation }], { status: host.carried as StatusPatch })
  if (host.hasCarried) return act('a status that came too late is taken away', [{ do: 'takeAnnotation', name: statusAnnotation }])
  // Its machine is somebody else's: going, it takes nothing along.
  if (host.deleting && seen.owner !== undefined) return act(`it is forgotten; ${seen.owner} keeps the machine`, [release])
  if (!host.deleting) {
    if (seen.owner !== undefined) return refused(host, 'OwnedByOther', `${seen.owner} has the same machine, and had it first`)
    if (seen.problems.length > 0) return refused(host, seen.moved ? 'AddressChanged' : 'Invalid', seen.problems.join('; '))
    if (host.told && !host.inspects)
      return act('what was told of it is kept', [
        { do: 'keepTold', hardware: host.told },
        { do: 'takeAnnotation', name: detailsAnnotation },
      ])
  }
  if (isLeftAlone(host) && (!host.deleting || host.detached?.delaysDeletion)) return withConditions(seen, leaveAlone(seen))
  const lack = lackOf(seen)
  if (lack) return act(`its ${lack.kind} ${lack.found ? 'becomes its own' : 'is made'}`, [{ do: 'keepFirmware', lack }])
  const plan = step(lifecycle, host.standing, seen, now)
  const { phase, phaseSince: _, ...status } = plan.status
  return withConditions(
    seen,
    typeof phase === 'string'
      ? moved(seen, plan, phase, now)
      : { ...plan, status: { ...status, ...registration(seen), ...forgiven(host), ...firstSaid(host) } },
  )
}

/** What says of a registered host which firmware it has is made with it. */
const lackOf = ({ host, firmware }: Seen): Lack | undefined =>
  host.deleting || host.goodCredentials === undefined || ['none', 'unmanaged', 'registering'].includes(host.standing.phase ?? '')
    ? undefined
    : firmware.lacks[0]

const refused = (host: SeenHost, reason: string, because: string): Plan<Verb> =>
  wait(because, minutes(10), {
    status: { conditions: [isFalse('Accepted', reason, because), ...conditionsOf(host.standing.phase ?? '', host.operational)] },
  })

/** What worked is noted wherever the host stands: a new password is tried, and then kept to. */
function registration(seen: Seen): StatusPatch {
  const { work, turn, credentials, host } = seen
  if (work !== 'register' || turn?.is !== 'done' || credentials.is !== 'there' || !needsRegistration(host, credentials)) return {}
  const good = tried(credentials)
  return {
    ...succeeded(seen),
    goodCredentials: good,
    triedCredentials: good,
    ...(host.address === undefined ? {} : { bmcAddress: host.address }),
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
    ...firstSaid(host),
    ...(seen.turn?.is === 'done' && seen.turn.powered !== undefined ? { poweredOn: seen.turn.powered } : {}),
    ...(phase === 'provisioned' && from === 'provisioning' ? { provisioningFailCount: 0 } : {}),
    ...(failed
      ? { provisioningFailCount: (host.fails.of === host.wanted ? host.fails.count : 0) + 1, lastAttempted: host.wanted ?? null }
      : {}),
    // A copy, as baremetal-operator keeps it: Cluster API's provider reads it here.
    ...(phase === 'preparing' && seen.hardware ? { hardware: seen.hardware } : {}),
    ...(failed ? {} : succeeded(seen)),
    ...(failed ? { operationalStatus: 'OK', errorType: null, errorMessage: '' } : {}),
  }
  const again = phase === 'inspecting' && host.wantsInspection
  const events = [...plan.events, ...leftUndone(seen, from, phase)]
  return { ...plan, status, events, actions: again ? [{ do: 'takeAnnotation', name: inspectAnnotation }] : plan.actions }
}

/** A deletion ends whatever is in its way; what could not be done for that is told. */
function leftUndone({ turn, host }: Seen, from: string, phase: string): readonly Happening[] {
  if (!host.deleting || turn?.is === 'done') return []
  const warns = (reason: string, message: string): readonly Happening[] => [{ type: 'Warning', reason, message }]
  if (from === 'deprovisioning' && phase === 'powering off before delete')
    return warns('CleaningSkipped', `it is deleted without having been given back: ${host.error?.message ?? 'nobody could be asked to'}`)
  if (from === 'powering off before delete' && phase === 'deleting')
    return warns(
      'LeftAsItIs',
      `it is deleted, and its machine at ${host.address ?? 'an unknown address'} may still be on, with a disc in its drive`,
    )
  return []
}

/** Nothing has been done for it yet. */
const isNew = ({ standing }: SeenHost): boolean => standing.phase === none

/** The interface that it boots from stays what it was once. */
const firstSaid = ({ bootMAC, notedMAC }: SeenHost): StatusPatch =>
  bootMAC !== undefined && notedMAC === undefined ? { bootMACAddress: bootMAC } : {}

/** Failures of what is not wanted any more are forgotten: the same image may be tried again later. */
const forgiven = ({ wanted, standing, fails }: SeenHost): StatusPatch =>
  standing.phase === 'available' && wanted !== fails.of && fails.of !== undefined ? { provisioningFailCount: 0, lastAttempted: null } : {}

const operations: Readonly<Record<string, string>> = {
  registering: 'register',
  inspecting: 'inspect',
  provisioning: 'provision',
  deprovisioning: 'deprovision',
}

function installedBy({ host, order }: Seen, from: string, phase: string): object {
  const { spec } = host
  // From here on nobody knows which volumes there are, until all of them are made.
  if (phase === 'preparing' && order?.raid) return { raid: null }
  if (from === 'preparing' && phase === 'available') return madeVolumes(host, order)
  if (phase === 'externally provisioned') return { raid: null }
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

/** The volumes that were made, and not those that somebody wants since. */
const madeVolumes = ({ spec, memory }: SeenHost, order: Seen['order']): object =>
  order?.raid && memory?.volumes === raidText(order.raid)
    ? {
        raid: {
          hardwareRAIDVolumes: spec?.raid?.hardwareRAIDVolumes ?? null,
          softwareRAIDVolumes: spec?.raid?.softwareRAIDVolumes ?? null,
        },
      }
    : {}

function withConditions({ host, health }: Seen, plan: Plan<Verb>): Plan<Verb> {
  const provisioning = plan.status['provisioning'] as { readonly state?: string } | undefined
  const state = provisioning?.state ?? host.standing.phase ?? ''
  const operational = (plan.status['operationalStatus'] as string | undefined) ?? host.operational
  const said = (plan.status.conditions ?? []).filter(({ type }) => type !== 'Overstayed')
  const conditions: readonly Condition[] = [
    isTrue('Accepted', 'Accepted', ''),
    ...healthSaid(health, host.hasHealth),
    ...(host.spec?.bmc?.disableCertificateVerification
      ? [isFalse('CertificateVerified', 'Disabled', 'whatever certificate its management controller shows is believed, as its spec asks')]
      : []),
    ...conditionsOf(state, operational, state === 'available' ? givenUp(host) : undefined).filter(
      ({ type }) => !said.some(other => other.type === type),
    ),
    ...said,
  ]
  return { ...plan, status: { ...plan.status, conditions } }
}
