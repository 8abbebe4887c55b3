import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Seen } from './seen.ts'

const type = 'PowerObservation'

/** Where a BMC does not show when it was reset, somebody's power cycle between two looks is not noticed, however far it tells a boot has come: that is said. */
export function observation({ server, machine }: Seen): readonly Condition[] {
  if (machine.is !== 'there' || server.standing.phase !== 'Reserved' || machine.power !== 'On') return []
  if (machine.evidence?.lastResetTime === undefined)
    return [isFalse(type, 'Limited', 'its BMC does not show when it was reset: a power cycle between two looks is not noticed')]
  return server.stands[type]?.status === 'False' ? [isTrue(type, 'Shown', '')] : []
}
