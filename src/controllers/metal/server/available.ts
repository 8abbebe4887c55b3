import { act, type Plan, wait } from '../../../core/plan.ts'
import type { Seen } from './seen.ts'
import { stop } from './stop.ts'
import { withMachine } from './there.ts'
import { believed, seldom, soon } from './timing.ts'
import { also, type Verb } from './verbs.ts'

/** Off, and waiting for somebody to claim it. */
export const available = (seen: Seen, now: number): Plan<Verb> =>
  withMachine(seen, machine => {
    const forced = seen.server.operation === 'force-off-server'
    if (machine.power === 'Off') return forced ? act('it is off already', [{ do: 'takeOperation' }]) : wait('it can be claimed', seldom)
    if (machine.powerFor < believed && !forced) return wait(`it is ${machine.power}, although nobody has claimed it`, soon)
    const plan = stop(seen, machine, 'nobody has claimed it', now, forced ? 'forced' : 'graceful')
    return forced ? also(plan, { do: 'takeOperation' }) : plan
  })
