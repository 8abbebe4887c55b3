import { conditionOf } from '../../../core/condition.ts'
import { seconds } from '../../../core/duration.ts'
import type { Plan } from '../../../core/plan.ts'
import { discProblem, isIn, isLost, isPending, mediaPatience } from '../../../policy/metal3/data-image.ts'
import type { HostOrder, Provisioner, Turn } from '../../../ports/provisioner.ts'
import { type DataImage, mediaFinalizer } from '../resources.ts'
import { awaits } from './awaits.ts'
import type { Seen, SeenMedia, Verb } from './seen.ts'

/** What a host has to know of its DataImage. */
export function mediaSeen({ metadata, spec, status }: DataImage): Omit<SeenMedia, 'heldFor' | 'lost'> {
  const said = conditionOf(status, 'Accepted')
  const url = spec?.url ?? ''
  const wish = {
    url: discProblem(url) === undefined ? url : undefined,
    // One with an address that cannot be is not put in; another one that is in has still to be taken out.
    accepted: said?.status !== 'False' || said.reason === 'Invalid',
    deleting: metadata.deletionTimestamp !== undefined,
    held: metadata.finalizers?.includes(mediaFinalizer) ?? false,
    attached: status?.attachedImage?.url,
    begun: status?.begun !== undefined,
    tries: status?.tries ?? 0,
  }
  const pending = isPending(wish)
  const isOther = !wish.deleting && (wish.url === undefined || wish.attached !== wish.url)
  return {
    revision: metadata.resourceVersion,
    pending,
    isIn: isIn(wish),
    shown: wish.attached === undefined || isOther ? undefined : { drive: status?.drive, attached: wish.attached },
    missed: isOther && !pending ? status?.error?.message || 'it cannot be attached' : undefined,
  }
}

/** A disc of the engine's own is about to go into a drive, or finds none that is free. */
export const wantsDrive = (turn: Turn | undefined): boolean =>
  turn?.is === 'busy' || (turn?.is === 'progress' && turn.does?.do === 'insert')

/** The steps by which a machine starts. */
export const starts = (turn: Turn | undefined): boolean =>
  turn?.is === 'progress' && (turn.does?.do === 'switchOn' || turn.does?.do === 'restart')

/** What its drives show is asked once more before it starts with a disc that was put in some time ago. */
export async function isLostFrom(engine: Provisioner, order: HostOrder, shown: SeenMedia['shown'], signal: AbortSignal): Promise<boolean> {
  const sight = shown && (await engine.media?.look(order, signal))
  return sight?.is === 'there' && isLost(sight.drives ?? [], shown!)
}

/** A host that is about to start waits for its disc, and not for ever. */
export function heldForMedia({ media, turn, host }: Seen): Plan<Verb> | undefined {
  if (!(media?.pending || media?.lost) || media.heldFor >= mediaPatience || !starts(turn)) return undefined
  // Whoever attaches it waits to hear that the machine is off.
  const isOff = turn?.is === 'progress' && turn.does?.do === 'switchOn' && host.poweredOn
  return awaits('its DataImage to be attached or taken out', seconds(15), isOff ? { poweredOn: false } : {})
}

/** Nothing of ours is put into a drive while its DataImage is still in one: they never share it. */
export const waitsForDrive = ({ media, turn, work }: Seen): Plan<Verb> | undefined =>
  work === 'clean' && media?.isIn && media.heldFor < mediaPatience && wantsDrive(turn)
    ? awaits('its DataImage to be taken out', seconds(15))
    : undefined

/** Told where a host starts without the disc that somebody wants it to find. */
export function withoutMedia({ media, turn }: Seen): Plan<Verb>['events'] {
  if (!media || !starts(turn)) return []
  const why = media.missed ?? (media.pending || media.lost ? 'it was waited for long enough' : undefined)
  return why === undefined ? [] : [{ type: 'Warning', reason: 'WithoutDataImage', message: `it is started without its DataImage: ${why}` }]
}

/** A disc of its own is still in a drive of a host that goes. */
export const holdsMedia = ({ media }: Seen): boolean => media?.isIn === true && media.heldFor < mediaPatience
