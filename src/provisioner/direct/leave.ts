import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { disarm } from './disarm.ts'
import { ours, takeOut } from './disc.ts'
import { powerOff } from './power.ts'
import { restart } from './restart.ts'
import { giveBackSettings } from './settings-turn.ts'
import type { There } from './sight.ts'
import { type Begun, done } from './turns.ts'

/** Nothing of ours stays on the machine; it is switched off for that, or restarted where it may not be. */
export function leave(machine: There, host: HostOrder, begun: Begun): Turn {
  const stays = host.neverOff && machine.power !== 'Off'
  if (!stays) {
    const off = powerOff(machine, { ...host, neverOff: false }, begun)
    if (off.is !== 'done') return off
  }
  const back = begun.work === 'prepare' ? undefined : giveBackSettings(machine, begun)
  if (back) return back
  const slot = ours(machine, begun, [host.image?.url])
  if (slot !== undefined) return takeOut(slot, begun)
  if (machine.armed.lasts !== 'Disabled' && ['Cd', 'UefiHttp', 'Pxe'].includes(machine.armed.target)) return disarm(machine, begun)
  return stays ? leaveOn(machine, host, begun) : done('it is off, and nothing of ours is left on it', { powered: false })
}

/** What ran there does not run on: neither our ramdisk, nor what was installed on a host that is given back. */
function leaveOn(machine: There, host: HostOrder, begun: Begun): Turn {
  const { memory, work } = begun
  const left = done('nothing of ours is left on it; it may not be switched off', { powered: true })
  const restarted = memory?.work === work && memory.step === 'restart'
  if (!restarted && work !== 'clean' && memory?.runs === undefined) return left
  const turn = restart(machine, memory?.runs === undefined ? host.off : 'hard', begun, { runs: null })
  return turn.is === 'done' ? left : turn
}
