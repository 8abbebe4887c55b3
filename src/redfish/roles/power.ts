import { Fault } from '../../core/fault.ts'
import type { Power, PowerState } from '../../ports/bmc.ts'
import { actionTarget } from '../transport/link.ts'
import { text } from '../transport/read.ts'
import { isRefusal } from '../transport/refusal.ts'
import type { Machine } from './machine.ts'

type To = 'On' | 'Off' | 'Cycle'
type How = 'graceful' | 'forced'

/** Reset types by what is wanted, the best first. Nothing graceful ever becomes forced, and nothing unknown is ever sent. */
const types: Readonly<Record<To, Readonly<Record<How, readonly string[]>>>> = {
  On: { graceful: ['On', 'ForceOn'], forced: ['ForceOn', 'On'] },
  Off: { graceful: ['GracefulShutdown'], forced: ['ForceOff'] },
  Cycle: { graceful: ['GracefulRestart'], forced: ['ForceRestart', 'PowerCycle', 'FullPowerCycle'] },
}

const states: readonly PowerState[] = ['On', 'Off', 'PoweringOn', 'PoweringOff', 'Paused']

export const powerStateOf = (system: unknown): PowerState => states.find(state => state === text(system, 'PowerState')) ?? 'Unknown'

export function powerRole(machine: Machine): Power {
  const { service, systemPath, resets } = machine
  const state = async (signal?: AbortSignal): Promise<PowerState> => powerStateOf(await service.get(systemPath, signal))
  return {
    state,
    async set(to, how, signal) {
      const target = actionTarget(machine.system, '#ComputerSystem.Reset')
      const type = chosen(resets, to, how) ?? (await button(machine, to, how, state, signal))
      if (target === undefined || type === undefined) throw notOffered(machine, to, how)
      try {
        await service.post(target, { ResetType: type }, signal)
      } catch (error) {
        // Already there: iDRAC says 409, iLO 400. Anything else in that moment is worth another try (an iDRAC10 refuses "On" just after off).
        if (to === 'Cycle' || !isRefusal(error) || ![400, 409].includes(error.status)) throw error
        if ((await state(signal)) !== to) throw error
      }
    },
  }
}

export const chosen = (offered: readonly string[], to: To, how: How): string | undefined =>
  types[to][how].find(type => offered.includes(type))

/** A push on the button turns whatever is into the other: only where nothing better is offered and the state is known this very moment. */
async function button(
  machine: Machine,
  to: To,
  how: How,
  state: (signal?: AbortSignal) => Promise<PowerState>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!machine.resets.includes('PushPowerButton') || to === 'Cycle' || (to === 'Off' && how === 'forced')) return undefined
  return (await state(signal)) === (to === 'On' ? 'Off' : 'On') ? 'PushPowerButton' : undefined
}

const notOffered = ({ identity, resets, service }: Machine, to: To, how: How): Fault =>
  new Fault(
    'bmc/not-offered',
    `Cannot switch ${identity.system} of the BMC at ${service.name} ${to === 'Cycle' ? 'off and on' : to.toLowerCase()} (${how}): it offers ${resets.length > 0 ? resets.join(', ') : 'no reset'}`,
    'when-changed',
    how === 'graceful' ? { hint: 'Ask for the forced way, if what runs there may be lost.' } : {},
  )
