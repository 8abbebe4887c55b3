import type { Plan } from '../../../core/plan.ts'
import type { Led, Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

const isOn = (led: Led): boolean => led === 'Lit' || led === 'Blinking'

/**
 * Its locator light, besides whatever else is done: as its maintenance wants it, else as its spec says; off again when nobody wants it. On
 * record is what was read back, and while that is still to come that nobody knows: so one that was lit here is not forgotten.
 */
export function lit(seen: Seen, plan: Plan<Verb>): Plan<Verb> {
  const { shows: recorded, wanted } = seen.server.led
  const wish: Led | undefined = seen.maintenance?.led ?? wanted ?? (recorded === undefined || recorded === 'Off' ? undefined : 'Off')
  if (seen.machine.is !== 'there' || wish === undefined || wish === 'Unknown') return plan
  const { lit: shown } = seen.machine
  const right = shown === undefined || isOn(shown) === isOn(wish)
  const record: Led = right ? (shown ?? 'Unknown') : 'Unknown'
  return {
    ...plan,
    status: record === recorded ? plan.status : { ...plan.status, indicatorLED: record },
    actions: right ? plan.actions : [...plan.actions, { do: 'light', shows: wish }],
  }
}
