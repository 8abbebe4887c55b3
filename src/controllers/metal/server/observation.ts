import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Seen } from './seen.ts'

const type = 'PowerObservation'

/** Where a BMC shows neither resets nor how far a boot has come, somebody's power cycle between two looks is not noticed: that is said. */
export function observation({ server, machine }: Seen): readonly Condition[] {
  if (machine.is !== 'there' || server.standing.phase !== 'Reserved' || machine.power !== 'On') return []
  const shows = machine.evidence?.lastResetTime !== undefined || machine.evidence?.progress !== undefined
  if (!shows)
    return [
      isFalse(
        type,
        'Limited',
        'its BMC shows neither when it was reset nor how far it has booted: a power cycle between two looks is not noticed',
      ),
    ]
  return server.stands[type]?.status === 'False' ? [isTrue(type, 'Shown', '')] : []
}
