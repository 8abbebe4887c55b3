import { minutes } from '../../../core/duration.ts'
import { machine, when } from '../../../core/machine.ts'
import { act, idle, type Plan, release, wait } from '../../../core/plan.ts'
import { provisioningLimit } from './limits.ts'
import { none } from './phases.ts'
import { keepPower } from './rest.ts'
import type { Seen, Verb } from './seen.ts'
import { takeTurn } from './turn.ts'
import { needsRegistration } from './work.ts'

const isDone =
  (work: string) =>
  (seen: Seen): boolean =>
    seen.work === work && seen.turn?.is === 'done'
const deletes = ({ host }: Seen): boolean => host.deleting
/** Nobody can be asked to give the host back any more. */
const isHopeless = (seen: Seen): boolean =>
  seen.host.deleting && (seen.credentials.is !== 'there' || (seen.host.error !== undefined && seen.host.errorCount > 3))
const isLeft = ({ host }: Seen): boolean => host.deleting && host.detached !== undefined && !host.detached.delaysDeletion
const wantsInstall = ({ host }: Seen): boolean =>
  host.online &&
  host.wanted !== undefined &&
  host.wanted !== host.installed &&
  !(host.fails.of === host.wanted && host.fails.count >= provisioningLimit)
const installsOther = ({ host }: Seen): boolean => host.wanted === undefined || host.wanted !== host.installed
const hasFailedToInstall = ({ host }: Seen): boolean => host.error?.type === 'provisioning error'
const registered = (seen: Seen): boolean =>
  isDone('register')(seen) || (!needsRegistration(seen.host, seen.credentials) && seen.host.goodCredentials !== undefined)

const finishes = (seen: Seen): Plan<Verb> => takeTurn(seen, turn => idle(turn.because))

/** The life of a BareMetalHost, in Metal3's words. */
export const lifecycle = machine<Seen, Verb>()({
  initial: none,
  phases: {
    [none]: {
      does: () => idle('it is new'),
      exits: {
        deleting: when('it is deleted', deletes),
        unmanaged: when('it has no management controller', ({ host }) => !host.hasBmc),
        registering: when('it has a management controller', ({ host }) => host.hasBmc),
      },
    },
    unmanaged: {
      does: () =>
        wait('waits for somebody to say where its management controller is', minutes(10), { status: { operationalStatus: 'discovered' } }),
      exits: {
        deleting: when('it is deleted', deletes),
        registering: when('its management controller was named', ({ host }) => host.hasBmc),
      },
    },
    registering: {
      does: finishes,
      exits: {
        deleting: when('it is deleted', deletes),
        'externally provisioned': when('somebody else installed it', seen => registered(seen) && seen.host.external),
        preparing: when('its management controller answers; it is not inspected', seen => registered(seen) && !seen.host.inspects),
        inspecting: when('its management controller answers', registered),
      },
    },
    inspecting: {
      does: seen =>
        takeTurn(seen, turn =>
          turn.inventory
            ? act('what was found is kept', [{ do: 'keepHardware', inventory: turn.inventory, began: seen.host.inspectionBegan ?? '' }])
            : idle(turn.because),
        ),
      exits: {
        'powering off before delete': when('it is deleted', deletes),
        preparing: when('it is known what it is made of', seen => seen.inspected || !seen.host.inspects),
      },
    },
    preparing: {
      does: finishes,
      exits: {
        'powering off before delete': when('it is deleted', deletes),
        available: when('it is prepared', isDone('prepare')),
      },
    },
    available: {
      does: keepPower,
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when('it is deleted', deletes),
        'externally provisioned': when('somebody else installed it', ({ host }) => host.external),
        inspecting: when('another inspection is asked for', ({ host }) => host.wantsInspection),
        provisioning: when('something is to be installed', wantsInstall),
      },
    },
    provisioning: {
      does: finishes,
      exits: {
        deprovisioning: when(
          'it is deleted, failed, or something else is wanted',
          seen => deletes(seen) || hasFailedToInstall(seen) || seen.host.wanted === undefined,
        ),
        provisioned: when('it is installed', isDone('deploy')),
      },
    },
    provisioned: {
      does: keepPower,
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        deprovisioning: when('it is deleted, or something else is wanted', seen => deletes(seen) || installsOther(seen)),
      },
    },
    'externally provisioned': {
      does: keepPower,
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when('it is deleted', deletes),
        provisioned: when('it is ours from now on', ({ host }) => !host.external),
      },
    },
    deprovisioning: {
      does: finishes,
      exits: {
        'powering off before delete': when(
          'it is given back, and deleted',
          seen => deletes(seen) && (isDone('clean')(seen) || isHopeless(seen)),
        ),
        available: when('it is given back', seen => !deletes(seen) && isDone('clean')(seen)),
      },
    },
    'powering off before delete': {
      does: finishes,
      exits: {
        deleting: when('it is off, or nobody can switch it off', seen => isDone('letGo')(seen) || isHopeless(seen)),
      },
    },
    deleting: {
      does: seen => act('it can be forgotten', seen.order ? [{ do: 'forget', order: seen.order }, release] : [release]),
      exits: {},
      final: true,
    },
  },
})
