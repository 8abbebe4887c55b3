import { seconds } from '../../../core/duration.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { plainReboot } from '../../../policy/metal3/reboot.ts'
import { succeeded } from './errors.ts'
import type { Seen, Verb } from './seen.ts'
import { takeTurn } from './turn.ts'

const nowAndThen = seconds(60)

/** Keeps the power of a host that rests as it is wanted; a restart that was asked for ends when the host was seen off. */
export function keepPower(seen: Seen): Plan<Verb> {
  const { host } = seen
  if (host.detached) return leaveAlone(seen)
  return takeTurn(seen, turn => {
    const status = {
      ...succeeded(host),
      ...(turn.powered === undefined || turn.powered === host.poweredOn ? {} : { poweredOn: turn.powered }),
    }
    const restarted = seen.work === 'powerOff' && host.reboot !== undefined && !host.reboot.held
    if (restarted) return act('the restart that was asked for has begun', [{ do: 'takeAnnotation', name: plainReboot }], { status })
    const held = host.reboot?.held && host.online ? '; somebody holds it off by a reboot annotation' : ''
    return wait(`${turn.because}${held}`, nowAndThen, { status })
  })
}

function leaveAlone({ host, order }: Seen): Plan<Verb> {
  if (host.operational === 'detached') return wait('it is detached, and left alone', seconds(600))
  const status = { operationalStatus: 'detached', errorType: null, errorMessage: '', errorCount: 0, goodCredentials: null }
  return act('it is detached', order ? [{ do: 'forget', order }] : [], {
    status,
    events: [{ type: 'Normal', reason: 'Detached', message: 'it is left alone from now on' }],
  })
}
