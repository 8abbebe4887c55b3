import type { Plan } from '../../../core/plan.ts'
import type { Led, Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

/** Its locator light, besides whatever else is done: as its maintenance wants it, else as its spec says; off again when nobody wants it. */
export function lit(seen: Seen, plan: Plan<Verb>): Plan<Verb> {
  const { shows, wanted } = seen.server.led
  const on = shows === 'Lit' || shows === 'Blinking'
  const wish: Led | undefined = seen.maintenance?.led ?? wanted ?? (on ? 'Off' : undefined)
  if (seen.machine.is !== 'there' || wish === undefined || wish === 'Unknown' || wish === shows) return plan
  return { ...plan, status: { ...plan.status, indicatorLED: wish }, actions: [...plan.actions, { do: 'light', shows: wish }] }
}
