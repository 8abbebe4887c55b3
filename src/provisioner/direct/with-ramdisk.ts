import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { agentTurn } from './agent-turn.ts'
import { bootRamdisk } from './boot-ramdisk.ts'
import type { Sight, There } from './sight.ts'
import { type Begun, giveUp, withMachine } from './turns.ts'

export const needsRamdisk = 'no ramdisk is set up, and this needs the agent that runs in one'

/** One try with a ramdisk, from the machine that is switched off for it to the agent that has done everything; `leaves` is what follows then. */
export function withRamdisk(sight: Sight, host: HostOrder, begun: Begun, leaves: (machine: There) => Turn): Turn {
  const stage = begun.memory?.work === begun.work ? begun.memory.stage : undefined
  if (sight.is === 'agent') return agentTurn(sight, host, begun)
  return withMachine(sight, machine => {
    if (stage === 'leave') return leaves(machine)
    if (machine.ramdisk === undefined) return giveUp(begun, needsRamdisk, false)
    return bootRamdisk(machine, host, machine.ramdisk, begun)
  })
}
