import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { concernsFirmware } from './firmware-sight.ts'
import { leave } from './leave.ts'
import { settingsTurn } from './settings-turn.ts'
import type { Sight, There } from './sight.ts'
import { type Begun, pending, soon, whenQuiet } from './turns.ts'
import { updateTurn } from './update-turn.ts'

/** Steps that leave a machine as it is: what an inspection left on it is taken away before the first of the others. */
const before = [undefined, 'switchOff', 'restart', 'eject', 'disarm']

/** Its firmware as it is wanted: first what is to be written, then what is to be set. Undefined when nothing is left to do. */
export function firmware(sight: Sight, host: HostOrder, begun: Begun): Turn | undefined {
  const memory = begun.memory?.work === begun.work ? begun.memory : undefined
  // Its agent is at work: whatever is wanted meanwhile has to wait for another turn.
  if (memory?.stage !== undefined || !concernsFirmware(host, begun.memory)) return undefined
  const does = (machine: There): Turn | undefined => {
    const { firmware: look } = machine
    if (!look) return pending('its firmware is looked at', soon)
    if (begun.work === 'prepare' && memory?.update === undefined && before.includes(memory?.step)) {
      const left = leave(machine, host, begun)
      if (left.is !== 'done') return left
    }
    return updateTurn(machine, look, host, begun) ?? settingsTurn(machine, look, host, begun)
  }
  // What is under way is our own.
  if (sight.is === 'there' && sight.jobs > 0 && memory?.update !== undefined) return does(sight)
  return whenQuiet(sight) ?? (sight.is === 'there' ? does(sight) : undefined)
}
