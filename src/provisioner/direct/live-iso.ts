import { seconds } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { holdsDisc, putIn } from './disc.ts'
import { powerOff, powerOn } from './power.ts'
import type { There } from './sight.ts'
import { type Begun, done, insist } from './turns.ts'

/** Boots a disc that stays in: noted, put in while the machine is off, read back, made its boot device, then switched on. */
export function deployLiveIso(machine: There, host: HostOrder, begun: Begun): Turn {
  const url = host.image?.url ?? ''
  const holds = holdsDisc(machine, url)
  const isArmed = machine.armed.target === 'Cd' && machine.armed.lasts !== 'Disabled'
  if (holds && machine.power === 'On' && begun.memory?.work === 'deploy' && begun.memory.step === 'switchOn')
    return done('it runs from its disc')
  if (!holds || !isArmed) {
    // Whatever ran before: its disc and its boot device are changed only while it is off.
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
  return powerOn(machine, begun)
}
