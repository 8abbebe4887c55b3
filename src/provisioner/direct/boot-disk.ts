import { seconds } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { disarm } from './disarm.ts'
import { ours, takeOut } from './disc.ts'
import { powerOff, powerOn } from './power.ts'
import { restart } from './restart.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, givenFor, insist, pending } from './turns.ts'

/** After an installation: the ramdisk's disc is out, and read back; the disk is the boot device that stays; then it is started from there. */
export function bootInstalled(machine: There, host: HostOrder, begun: Begun): Turn {
  const { memory } = begun
  const installed = done('it is installed, and boots from its disk', { powered: true })
  const switchedOn = memory?.step === 'switchOn'
  if (switchedOn && machine.power === 'On') return installed
  const stays = host.neverOff && machine.power !== 'Off'
  if (stays && memory?.step === 'restart') {
    const turn = restart(machine, 'hard', begun, { runs: null })
    return turn.is === 'done' ? installed : turn
  }
  if (!switchedOn) {
    const off = stays ? undefined : powerOff(machine, { off: 'hard', neverOff: false }, begun)
    if (off && off.is !== 'done') return off
    const slot = ours(machine, begun, [])
    if (slot !== undefined) return takeOut(slot, begun)
    const told = bootFromDisk(machine, begun)
    if (told) return told
    if (stays) return restart(machine, 'hard', begun, { runs: null })
  }
  return powerOn(machine, begun)
}

const patience = seconds(30)

/** The disk for good; where a controller cannot keep that, first in its order; where it has no order either, whatever is armed is taken back. */
function bootFromDisk(machine: There, begun: Begun): Turn | undefined {
  const { armed, keeps, order } = machine
  const isArmed = armed.target === 'Hdd' && armed.lasts === 'Continuous'
  if (isArmed) return undefined
  const { memory } = begun
  const refused = memory?.step === 'disarm' || memory?.step === 'putFirst' || (givenFor(begun, 'bootFrom') ?? 0) >= patience * 4
  if (keeps && !refused)
    return insist(
      begun,
      { do: 'bootFrom', target: 'Hdd' },
      {
        asks: 'its disk is made its boot device',
        waits: 'its disk is being made its boot device',
        gaveUp: 'its management controller does not keep the disk as its boot device',
        patience,
      },
    )
  if (order !== undefined && order.first !== 'Hdd' && order.disk !== undefined) {
    const given = givenFor(begun, 'putFirst')
    if (given === undefined) return begin(begun, 'its disk is put first in its boot order', { do: 'putFirst', reference: order.disk })
    // Many take a new order with the next start only.
    if (given < patience) return pending('its disk is being put first in its boot order')
  }
  return armed.lasts === 'Disabled' ? undefined : disarm(machine, begun)
}
