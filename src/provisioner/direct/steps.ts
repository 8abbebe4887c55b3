import { Fault } from '../../core/fault.ts'
import type { Bmc, BootTarget } from '../../ports/bmc.ts'
import type { EngineStep } from '../../ports/provisioner.ts'

/** Every call of this engine that changes something on a machine. */
export type Step =
  | { readonly do: 'switchOn' }
  | { readonly do: 'switchOff'; readonly how: 'graceful' | 'forced' }
  | { readonly do: 'restart'; readonly how: 'graceful' | 'forced' }
  | { readonly do: 'insert'; readonly slot: string; readonly url: string }
  | { readonly do: 'eject'; readonly slot: string }
  /** Boots from there until somebody says otherwise. */
  | { readonly do: 'bootFrom'; readonly target: BootTarget }
  | { readonly do: 'disarm' }

export const order = (step: Step): EngineStep => ({ ...step })

export async function carryOut(bmc: Bmc, given: EngineStep, signal: AbortSignal): Promise<void> {
  const step = given as unknown as Step
  switch (step.do) {
    case 'switchOn':
      return bmc.power.set('On', 'graceful', signal)
    case 'switchOff':
      return bmc.power.set('Off', step.how, signal)
    case 'restart':
      return bmc.power.set('Cycle', step.how, signal)
    case 'insert':
      return bmc.media?.insert(step.slot, step.url, signal)
    case 'eject':
      return bmc.media?.eject(step.slot, signal)
    case 'bootFrom':
      // Where the controller cannot keep a target, one boot is armed each time.
      return bmc.boot.always ? bmc.boot.always(step.target, signal) : bmc.boot.once(step.target, undefined, signal)
    case 'disarm':
      return bmc.boot.clear(signal)
    default:
      step satisfies never
      throw new Fault('provisioner/unknown-step', `Cannot do ${given.do}: this engine has no such step`, 'never')
  }
}
