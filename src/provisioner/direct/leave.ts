import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { disarm } from './disarm.ts'
import { ours, takeOut } from './disc.ts'
import { powerOff } from './power.ts'
import { giveBackSettings } from './settings-turn.ts'
import type { There } from './sight.ts'
import { type Begun, done } from './turns.ts'

/** Nothing of ours stays on the machine; it is switched off for that. */
export function leave(machine: There, host: HostOrder, begun: Begun): Turn {
  const off = powerOff(machine, { ...host, neverOff: false }, begun)
  if (off.is !== 'done') return off
  const back = begun.work === 'prepare' ? undefined : giveBackSettings(machine, begun)
  if (back) return back
  const slot = ours(machine, begun, [host.image?.url])
  if (slot !== undefined) return takeOut(slot, begun)
  if (machine.armed.lasts !== 'Disabled' && ['Cd', 'UefiHttp', 'Pxe'].includes(machine.armed.target)) return disarm(machine, begun)
  return done('it is off, and nothing of ours is left on it', { powered: false })
}
