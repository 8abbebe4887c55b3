import { isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import { act, idle, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { isLost, mediaHopeless } from '../../../policy/metal3/data-image.ts'
import { accepted, goes, refused } from './saying.ts'
import type { Seen, Verb } from './seen.ts'
import { lost, turn } from './turn.ts'

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { image, host } = seen
  if (image.deleting && !image.held) return idle('it is let go: nothing of it is in a drive')
  if (!host) return image.deleting ? goes(seen, 'its host is gone') : refused('NoHost', `there is no BareMetalHost ${image.name}`)
  if (image.deleting && image.attached === undefined && !image.begun) return goes(seen, 'nothing of it is in a drive')
  if (host.paused) return aside(seen, 'HostPaused', 'its host is paused')
  if (host.detached) return image.deleting ? goes(seen, 'its host is detached') : aside(seen, 'HostDetached', 'its host is detached')
  if (!image.owned && !image.deleting) return act('it belongs to its host', [{ do: 'own', uid: host.uid }])
  if (image.problem !== undefined && image.attached === undefined && !image.begun) return refused('Invalid', image.problem)
  if (host.order?.address.direct === false) {
    const because = `${host.order.address.scheme} cannot attach discs: only Redfish and what is derived from it can`
    return image.deleting ? goes(seen, because) : refused('NoVirtualMedia', because)
  }
  if (host.refused !== undefined) return image.deleting ? goes(seen, host.refused) : aside(seen, 'HostNotAccepted', host.refused)
  if (image.begun === undefined && image.attached === seen.wanted) return isGone(seen) ? lost(now) : settled(seen)
  if (!seen.window)
    return image.accepted ? waits(seen) : idle('it was not accepted, and is looked at again when its host starts', { status: fresh(seen) })
  if (image.deleting && image.failures >= mediaHopeless) return goes(seen, `it could not be taken out after ${image.failures} tries`)
  if (image.rest > 0 && !image.begun) return wait(`rests after failure ${image.failures}`, image.rest)
  return turn(seen, now)
}

/** Nothing is done for a host that is left alone; what waits for that says so. */
function aside(seen: Seen, reason: string, because: string): Plan<Verb> {
  const { image, wanted } = seen
  if (image.begun === undefined && image.attached === wanted) return idle(because)
  const attached = image.attached === undefined ? isFalse('Attached', reason, because) : isTrue('Attached', reason, because)
  return wait(because, minutes(10), { status: { conditions: accepted(seen, attached) } })
}

const isGone = ({ image, sight }: Seen): boolean =>
  image.attached !== undefined &&
  sight?.is === 'there' &&
  !sight.stranger &&
  isLost(sight.drives ?? [], { ...image, attached: image.attached })

/** What was counted while the host waited for it is over once the host is on. */
const fresh = ({ image, host }: Seen): StatusPatch => (host?.poweredOn && image.tries > 0 ? { tries: 0 } : {})

function settled(seen: Seen): Plan<Verb> {
  const { wanted, host } = seen
  const because = wanted === undefined ? `its host is ${host?.phase}: it is attached once that is provisioned` : 'it is attached'
  const attached = wanted === undefined ? isFalse('Attached', 'HostNotProvisioned', because) : isTrue('Attached', 'Attached', '')
  return idle(because, { status: { ...fresh(seen), conditions: accepted(seen, attached) } })
}

function waits(seen: Seen): Plan<Verb> {
  const to = seen.wanted === undefined ? 'taken out' : 'attached'
  const because = `it is ${to} at the next restart or power-on of its host`
  return idle(because, { status: { ...fresh(seen), conditions: accepted(seen, isFalse('Attached', 'WaitsForRestart', because)) } })
}
