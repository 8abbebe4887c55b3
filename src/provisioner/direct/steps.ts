import { Fault } from '../../core/fault.ts'
import type { BiosValue, Bmc, BootTarget } from '../../ports/bmc.ts'
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
  /** Boots from there once. */
  | { readonly do: 'bootOnce'; readonly target: BootTarget; readonly uri?: string }
  | { readonly do: 'putFirst'; readonly reference: string }
  | { readonly do: 'disarm' }
  /** Asks for settings at the next start, as JSON; and asks for what holds now, so that nothing else is pending. */
  | { readonly do: 'setBios' | 'unsetBios'; readonly settings: string }
  /** Has its controller fetch and write firmware. */
  | { readonly do: 'update'; readonly url: string; readonly target?: string }
  /** What the agent in the ramdisk does next: a step of a deployment or a cleaning, or a command of its own. */
  | { readonly do: 'command'; readonly command: string; readonly work: string; readonly attempt: string }

export const order = (step: Step): EngineStep => ({ ...step })

type BmcStep = Exclude<Step, { readonly do: 'command' }>

/** Answers with the address of the task that was begun, where there is one. */
export async function carryOut(bmc: Bmc, given: EngineStep, signal: AbortSignal): Promise<unknown> {
  const step = given as unknown as BmcStep
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
      return bmc.boot.always?.(step.target, signal)
    case 'bootOnce':
      return bmc.boot.once(step.target, step.uri, signal)
    case 'putFirst': {
      const now = (await bmc.boot.order?.(signal)) ?? []
      return bmc.boot.setOrder?.([step.reference, ...now.filter(reference => reference !== step.reference)], signal)
    }
    case 'disarm':
      return bmc.boot.clear(signal)
    case 'setBios':
    case 'unsetBios':
      return bmc.bios?.set(JSON.parse(step.settings) as Readonly<Record<string, BiosValue>>, signal)
    case 'update':
      return bmc.firmware?.update(step.url, step.target === undefined ? undefined : [step.target], signal)
    default:
      step satisfies never
      throw new Fault('provisioner/unknown-step', `Cannot do ${given.do}: this engine has no such step`, 'never')
  }
}
