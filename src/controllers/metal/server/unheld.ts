import { act, type Plan } from '../../../core/plan.ts'
import type { Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

/** Phases in which nobody is let work on it, and which wait for something else: a maintenance that got hold of it then must still end. */
const aside: readonly (string | undefined)[] = ['Parked', 'Released']

export const unheld = ({ server, maintenance }: Seen): Plan<Verb> | undefined =>
  maintenance && maintenance.is !== 'there' && aside.includes(server.standing.phase)
    ? act('its maintenance is over before it began: it is let go', [{ do: 'endMaintenance' }])
    : undefined
