import type { AssistedSettings } from '../controllers/assisted/settings.ts'
import { type Millis, minutes } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { convergedFlows } from '../policy/assisted/flow.ts'
import type { Options } from './catalogue/command.ts'
import { numberOf } from './number.ts'

/** How hosts of InfraEnvs are installed, as it is said on a command line or in a file. */
export function assistedWishes({ convergedFlow, leastMemory }: Options): Partial<AssistedSettings> {
  const flow = convergedFlows.find(one => one === convergedFlow)
  if (convergedFlow !== undefined && !flow)
    throw new Fault('operator/flow', `Cannot use convergedFlow ${String(convergedFlow)}: it is ${convergedFlows.join(', ')}`, 'never')
  return {
    ...(flow ? { convergedFlow: flow } : {}),
    ...(leastMemory === undefined ? {} : { leastMemory: numberOf('leastMemory', leastMemory, { least: 0, most: 1 << 30 }) }),
  }
}

/** From the start of a machine to the first call of its agent. */
export const startTimeoutOf = ({ agentStartTimeout: said }: Options): Millis | undefined =>
  said === undefined ? undefined : minutes(numberOf('agentStartTimeout', said, { least: 5, most: 24 * 60 }))
