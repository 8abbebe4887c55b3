import { minutes, seconds } from '../../../core/duration.ts'
import { machine, when } from '../../../core/machine.ts'
import { act, idle, type Plan, release, wait } from '../../../core/plan.ts'
import { awaits } from './awaits.ts'
import { imageLeft, imagePatience } from './image.ts'
import { givenUp } from './limits.ts'
import { holdsMedia } from './media.ts'
import { isLeftAlone, none } from './phases.ts'
import { keepPower } from './rest.ts'
import type { Seen, Verb } from './seen.ts'
import { takeTurn } from './turn.ts'
import { wantsPreparation } from './wants-preparation.ts'
import { needsRegistration } from './work.ts'

const isDone =
  (work: string) =>
  (seen: Seen): boolean =>
    seen.work === work && seen.turn?.is === 'done'
/** Done, and its DataImage is out of its drives, too. */
const isFree =
  (work: string) =>
  (seen: Seen): boolean =>
    isDone(work)(seen) && !holdsMedia(seen)
const deletes = ({ host }: Seen): boolean => host.deleting
/** Nobody can be asked to give the host back any more, or has not been able to for long enough. */
const isHopeless = ({ host, credentials, order, moved, image }: Seen): boolean =>
  host.deleting &&
  (credentials.is !== 'there' ||
    order === undefined ||
    moved ||
    (host.error !== undefined && host.errorCount > 3) ||
    (image !== undefined && image.missedFor >= imagePatience))
const isLeft = ({ host }: Seen): boolean => host.deleting && isLeftAlone(host)
const wantsInstall = ({ host, firmware }: Seen): boolean =>
  firmware.unchecked === undefined &&
  host.online &&
  host.wanted !== undefined &&
  host.wanted !== host.installed &&
  givenUp(host) === undefined
const installsOther = ({ host }: Seen): boolean => host.wanted === undefined || host.wanted !== host.installed
const hasFailedToInstall = ({ host, rest }: Seen): boolean => host.error?.type === 'provisioning error' && rest === 0
const registered = (seen: Seen): boolean =>
  isDone('register')(seen) || (!needsRegistration(seen.host, seen.credentials) && seen.host.goodCredentials !== undefined)

const finishes = (seen: Seen): Plan<Verb> =>
  takeTurn(seen, turn => (holdsMedia(seen) ? awaits('its DataImage to be taken out', seconds(15)) : idle(turn.because)))

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
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when('it is deleted', deletes),
        preparing: when('it is known what it is made of', seen => seen.inspected || !seen.host.inspects),
      },
    },
    preparing: {
      does: seen =>
        takeTurn(seen, turn =>
          seen.firmware.due ? awaits('what was set to show in its HostFirmwareSettings', seconds(30)) : idle(turn.because),
        ),
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when('it is deleted', deletes),
        available: when('it is prepared', seen => isDone('prepare')(seen) && !seen.firmware.due),
      },
    },
    available: {
      does: keepPower,
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when('it is deleted', deletes),
        'externally provisioned': when('somebody else installed it', ({ host }) => host.external),
        inspecting: when('another inspection is asked for', ({ host }) => host.wantsInspection),
        preparing: when('something is to be prepared', seen => wantsPreparation(seen) !== undefined),
        provisioning: when('something is to be installed', wantsInstall),
      },
    },
    provisioning: {
      does: finishes,
      exits: {
        deleting: when('it is deleted while it is detached', isLeft),
        deprovisioning: when(
          'it is deleted, failed, or something else is wanted',
          seen => deletes(seen) || hasFailedToInstall(seen) || installsOther(seen),
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
        deleting: when('it is deleted while it is detached', isLeft),
        'powering off before delete': when(
          'it is given back, and deleted',
          seen => deletes(seen) && (isFree('clean')(seen) || isHopeless(seen)),
        ),
        available: when('it is given back', seen => !deletes(seen) && isFree('clean')(seen)),
      },
    },
    'powering off before delete': {
      does: seen => imageLeft(seen) ?? finishes(seen),
      exits: {
        deleting: when('it is off, or nobody can switch it off', seen => isFree('letGo')(seen) || isHopeless(seen)),
      },
    },
    deleting: {
      does: seen =>
        imageLeft(seen) ??
        act('it can be forgotten', [
          { do: 'freeSatellites' },
          ...(seen.order ? [{ do: 'forget', order: seen.order } as const] : []),
          release,
        ]),
      exits: {},
      final: true,
    },
  },
})
