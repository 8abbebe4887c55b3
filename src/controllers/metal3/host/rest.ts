import { minutes, seconds } from '../../../core/duration.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { plainReboot } from '../../../policy/metal3/reboot.ts'
import { forgotten } from '../../../ports/provisioner.ts'
import { succeeded } from './errors.ts'
import { imageLeft } from './image.ts'
import { heldForMedia } from './media.ts'
import type { Seen, Verb } from './seen.ts'
import { takeTurn } from './turn.ts'

const nowAndThen = seconds(60)
/** Said when its annotation is taken away. */
export const restartTold = 'the restart that was asked for has begun'

/** Keeps the power of a host that rests as it is wanted; a restart that was asked for ends when the host was seen off. */
export function keepPower(seen: Seen): Plan<Verb> {
  const { host } = seen
  const held = imageLeft(seen) ?? heldForMedia(seen)
  if (held) return held
  return takeTurn(seen, turn => {
    const status = {
      ...succeeded(seen),
      ...(turn.powered === undefined || turn.powered === host.poweredOn ? {} : { poweredOn: turn.powered }),
      ...(turn.memory ? { engine: { ...forgotten, ...turn.memory } } : {}),
    }
    if (seen.work === 'service') return serviced(seen, status)
    const restarted = seen.work === 'powerOff' && host.reboot !== undefined && !host.reboot.held
    if (restarted) return act(restartTold, [{ do: 'takeAnnotation', name: plainReboot }], { status })
    const held = host.reboot?.held && host.online ? '; somebody holds it off by a reboot annotation' : ''
    return wait(`${turn.because}${held}`, nowAndThen, { status })
  })
}

/** Its firmware is as it is wanted, or nobody wants anything of it any more; a restart that stood for being off has happened with it. */
function serviced({ host, turn }: Seen, status: Plan<Verb>['status']): Plan<Verb> {
  const because = turn?.because ?? ''
  const worked = host.operational === 'servicing'
  const events: Plan<Verb>['events'] = worked ? [{ type: 'Normal', reason: 'Serviced', message: because }] : []
  const taken = worked && host.neverOff && host.reboot !== undefined && !host.reboot.held
  return act(because, taken ? [{ do: 'takeAnnotation', name: plainReboot }] : [], { status, events })
}

/** Detached, it is left as it is; whoever deletes it meanwhile has said whether that waits. */
export function leaveAlone({ host, order }: Seen): Plan<Verb> {
  if (host.operational === 'detached')
    return wait(host.deleting ? 'its deletion waits until it is not detached any more' : 'it is detached, and left alone', minutes(10))
  // Its address may be put right meanwhile; it is registered again afterwards.
  const status = {
    operationalStatus: 'detached',
    errorType: null,
    errorMessage: '',
    errorCount: 0,
    goodCredentials: null,
    bmcAddress: null,
  }
  return act('it is detached', order ? [{ do: 'forget', order }] : [], {
    status,
    events: [{ type: 'Normal', reason: 'Detached', message: 'it is left alone from now on' }],
  })
}
