import { isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, seconds } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { mediaTries, restAfter } from '../../../policy/metal3/data-image.ts'
import type { MediaSight } from '../../../ports/provisioner.ts'
import { accepted, at, goes, refused, soon, unsure } from './saying.ts'
import type { Seen, Verb } from './seen.ts'

type There = Extract<MediaSight, { readonly is: 'there' }>
/** So long a controller has for putting a disc in or taking it out; some take half a minute. */
const patience = seconds(60)

/** One step towards what is wanted, by what the drives show. */
export function turn(seen: Seen, now: Instant): Plan<Verb> {
  const { image, sight, anytime } = seen
  if (!sight)
    return image.deleting ? goes(seen, 'nobody can look into its drives') : refused('NoVirtualMedia', 'this engine cannot attach discs')
  if (sight.is === 'silent' || sight.stranger) {
    if (image.rest > 0) return wait(`rests after failure ${image.failures}`, image.rest)
    return failed(seen, now, sight.is === 'silent' ? sight.because : 'another machine answers at the address of its host')
  }
  if (!sight.drives)
    return image.deleting
      ? goes(seen, 'the management controller has no drive for discs')
      : refused('NoVirtualMedia', 'the management controller of its host has no virtual drive for discs')
  if (sight.busy) return wait('firmware or settings of its host are being written: nothing is changed meanwhile', seconds(15))
  if (!anytime && sight.power !== 'Off') return wait(`its host is ${sight.power}: drives are changed while it is off`, soon)
  if (image.begun === undefined) return begin(seen, sight, now)
  return image.begun.step === 'insert' ? inserted(seen, sight, now) : ejected(seen, sight, now)
}

const driveOf = ({ drives = [] }: There, id: string | undefined) => drives.find(drive => drive.id === id)

const nothing = { attachedImage: null, drive: null, controller: null }

/** What was put in is not there any more, and nobody of ours took it out. */
export const lost = (now: Instant): Plan<Verb> =>
  act('what was attached is not in its drive any more', [], { status: { ...nothing, ...at(now) } })

/** Its host has waited long enough. Where it is wanted at once nobody waits for it, and it is tried on and on. */
const isOver = ({ image, immediate }: Seen): boolean => image.tries >= mediaTries && !immediate

function begin(seen: Seen, sight: There, now: Instant): Plan<Verb> {
  const { image, wanted } = seen
  if (image.attached !== undefined) {
    // Another one is wanted, or none: what is in goes first.
    if (driveOf(sight, image.drive)?.inserted) return eject(seen, now, image.drive!, `${image.attached} ${takesOut}`)
    return lost(now)
  }
  if (wanted === undefined) return act('nothing is attached', [])
  if (isOver(seen)) return wait(`it was tried ${image.tries} times, and is tried again at the next restart of its host`, seconds(60))
  if (seen.disc === 'other') return failed(seen, now, `${wanted} is not an ISO 9660 image`)
  // The last free one: what a host is installed from takes the first.
  const drive = sight.drives?.findLast(({ inserted }) => !inserted)
  if (!drive) return failed(seen, now, 'all virtual drives of its management controller are taken')
  if (!image.held) return act('it is about to be attached', [{ do: 'hold' }])
  return insert(seen, now, drive.id, wanted)
}

function inserted(seen: Seen, sight: There, now: Instant): Plan<Verb> {
  const { image, lastFailed, wanted } = seen
  const { drive: id, url } = image.begun!
  const drive = driveOf(sight, id)
  if (drive?.inserted && drive.image === url && url === wanted) {
    const status: StatusPatch = {
      attachedImage: { url },
      drive: id,
      begun: null,
      error: { count: 0, message: '' },
      ...at(now),
      conditions: accepted(seen, isTrue('Attached', 'Attached', '')),
    }
    return act(`${url} is attached`, [], { status, events: [{ type: 'Normal', reason: 'Attached', message: `${url} is attached` }] })
  }
  if (url === undefined || url !== wanted) return eject(seen, now, id, `something else is wanted meanwhile: it ${takesOut}`)
  if (wasNotSent(seen, putsIn)) return insert(seen, now, id, url)
  if (lastFailed?.do !== 'insert' && image.givenFor < patience) return wait(`it ${putsIn}, which takes its time`, soon)
  const why =
    lastFailed?.do === 'insert'
      ? lastFailed.message
      : `the drive ${drive?.inserted ? 'shows something else' : 'stays empty'} after a minute`
  // Whatever came of it: it is taken out before it is tried again.
  return failed(seen, now, `${url} could not be attached: ${why}`, id)
}

function ejected(seen: Seen, sight: There, now: Instant): Plan<Verb> {
  const { image, lastFailed } = seen
  const { drive: id, url } = image.begun!
  if (!driveOf(sight, id)?.inserted) {
    if (image.rest > 0 && seen.wanted !== undefined) return wait(`rests after failure ${image.failures}`, image.rest)
    const gone =
      image.attached === undefined ? [] : [{ type: 'Normal' as const, reason: 'Detached', message: `${image.attached} ${takesOut}` }]
    const clean = seen.wanted === undefined ? { error: { count: 0, message: '' } } : {}
    return act('the drive is empty', [], { status: { begun: null, ...nothing, ...clean, ...at(now) }, events: gone })
  }
  const what = image.attached ?? url ?? 'a disc'
  const failing = (why: string): Plan<Verb> => failed(seen, now, `${what} could not be taken out: ${why}`)
  if (lastFailed?.do === 'eject') return failing(lastFailed.message)
  if (isOver(seen)) return wait(`${what} stays in its drive; it is tried again at the next restart of its host`, seconds(60))
  if (image.rest > 0) return wait(`rests after failure ${image.failures}`, image.rest)
  if (wasNotSent(seen, takesOut)) return eject(seen, now, id, `${what} ${takesOut}`)
  return image.givenFor < patience ? wait(`it ${takesOut}, which takes its time`, soon) : failing('it is still there after a minute')
}

const putsIn = 'is put into a drive'
const takesOut = 'is taken out'
/** Its host changed just then, and what was noted was not asked for: it is asked for now, and is not a failure. */
const wasNotSent = ({ said, lastFailed }: Seen, words: string): boolean =>
  said !== undefined && lastFailed === undefined && !said.includes(words)

function insert(seen: Seen, now: Instant, drive: string, url: string): Plan<Verb> {
  const order = seen.host!.order!
  const because = `${url} ${putsIn}`
  const begun = { step: 'insert', drive, url, since: printInstant(now) }
  return act(because, [{ do: 'insert', order, drive, url }], {
    status: { begun, controller: order.address.hostname, ...at(now), conditions: accepted(seen, unsure(because)) },
    again: soon,
  })
}

function eject(seen: Seen, now: Instant, drive: string, because: string): Plan<Verb> {
  const { host, image } = seen
  const begun = { step: 'eject', drive, url: image.attached ?? image.begun?.url ?? null, since: printInstant(now) }
  return act(because, [{ do: 'eject', order: host!.order!, drive }], {
    status: { begun, ...at(now), conditions: accepted(seen, unsure(because)) },
    again: soon,
  })
}

/** Counts a failure, says why, and takes out what may be in. */
function failed(seen: Seen, now: Instant, message: string, drive?: string): Plan<Verb> {
  const { image, host } = seen
  const tries = image.tries + 1
  const plan = drive === undefined || !host?.order ? undefined : eject(seen, now, drive, `${message}; it ${takesOut}`)
  return {
    because: plan?.because ?? message,
    actions: plan?.actions ?? [],
    again: plan ? soon : restAfter(tries),
    status: {
      ...plan?.status,
      error: { count: image.failures + 1, message },
      tries,
      ...at(now),
      conditions: accepted(seen, isFalse('Attached', 'Failed', message)),
    },
    events: [{ type: 'Warning', reason: seen.wanted === undefined ? 'DetachFailed' : 'AttachFailed', message }],
  }
}
