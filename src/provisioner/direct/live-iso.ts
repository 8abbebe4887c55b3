import { seconds } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { holdsDisc, putIn } from './disc.ts'
import { powerOff, powerOn } from './power.ts'
import { restart } from './restart.ts'
import type { There } from './sight.ts'
import { type Begun, done, insist } from './turns.ts'

/** Boots a disc that stays in: noted, put in while the machine is off, read back, made its boot device, then switched on. */
export function deployLiveIso(machine: There, host: HostOrder, begun: Begun): Turn {
  const url = host.image?.url ?? ''
  const holds = holdsDisc(machine, url)
  const isArmed = machine.armed.target === 'Cd' && machine.armed.lasts !== 'Disabled'
  const step = begun.memory?.work === 'deploy' ? begun.memory.step : undefined
  if (holds && machine.power === 'On' && step === 'switchOn') return done('it runs from its disc')
  const stays = host.neverOff && machine.power !== 'Off'
  if (holds && stays && step === 'restart') {
    const turn = restart(machine, host.off, begun)
    return turn.is === 'done' ? done('it runs from its disc') : turn
  }
  if ((!holds || !isArmed) && !stays) {
    // Whatever ran before: its disc and its boot device are changed only while it is off, or right before it is restarted.
    const off = powerOff(machine, { ...host, neverOff: false }, begun)
    if (off.is !== 'done') return off
  }
  if (!holds) return putIn(machine, url, begun)
  if (!isArmed)
    return insist(
      begun,
      { do: 'bootFrom', target: 'Cd' },
      {
        asks: 'it is told to boot from its disc',
        waits: 'it is being told to boot from its disc',
        gaveUp: `its management controller does not keep its disc as the boot device (it shows ${machine.armed.raw}, ${machine.armed.lasts})`,
        patience: seconds(30),
      },
    )
  return stays ? restart(machine, host.off, begun) : powerOn(machine, begun)
}
