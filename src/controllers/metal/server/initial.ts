import { idle, type Plan, wait } from '../../../core/plan.ts'
import { stands } from './conditions.ts'
import { ofBmc } from './inventory.ts'
import { ended } from './note.ts'
import type { Seen } from './seen.ts'
import { stop } from './stop.ts'
import { withMachine } from './there.ts'
import { nowAndThen, soon } from './timing.ts'
import { also, type Verb } from './verbs.ts'

/** What its BMC knows of it is read, and nothing is touched: a machine that runs is not ours to switch off. */
export const initial = (seen: Seen, now: number): Plan<Verb> =>
  withMachine(seen, machine => {
    const { server, inventory } = seen
    if (inventory) return idle('its BMC has told what it is made of', { status: ofBmc(inventory) })
    // What an earlier discovery left must not pass for the next one's.
    if (isWorn(seen)) return idle('it is discovered anew', { status: ended('Superseded', 'it is discovered anew') })
    if (server.operation === 'force-off-server')
      return also(stop(seen, machine, 'somebody asked for it', now, 'forced'), { do: 'takeOperation' })
    if (seen.stopping && machine.power !== 'Off') return stop(seen, machine, seen.stopping.because, now, seen.stopping.how)
    if (machine.power === 'On') return wait('it runs something that was not started here: discovery waits until it is off', nowAndThen)
    return wait(`it is ${machine.power}`, soon)
  })

export const isWorn = ({ boot }: Seen): boolean => boot?.purpose === 'Discovery' && boot.outcome === 'Registered'

/** Everything that discovery needs to begin. */
export const isReady = (seen: Seen): boolean =>
  seen.machine.is === 'there' && seen.machine.power === 'Off' && seen.server.inventoried && !isWorn(seen) && !stands(seen, 'Quarantined')
