import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { bootDiscAgain } from './live-iso.ts'
import { powerOff, powerOn } from './power.ts'
import type { There } from './sight.ts'
import { type Begun, ended, givenFor, soon } from './turns.ts'

/** Switches an installed host on, from where it was installed to. */
export const start = (machine: There, host: HostOrder, begun: Begun): Turn =>
  (machine.power === 'Off' ? bootDiscAgain(machine, host, begun) : undefined) ?? powerOn(machine, begun)

/** Switches it off, or restarts it in place of that. */
export function stop(machine: There, host: HostOrder, begun: Begun): Turn {
  if (host.restartTold && begun.memory?.work === begun.work && begun.memory.step === 'restart')
    return { is: 'progress', because: 'another restart is asked for', again: soon, memory: ended(begun, 'done') }
  const restarts = host.neverOff && machine.power === 'On' && givenFor(begun, 'restart') === undefined
  return (restarts ? bootDiscAgain(machine, host, begun) : undefined) ?? powerOff(machine, host, begun)
}
