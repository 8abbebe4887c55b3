import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { powerOff } from './power.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, failed } from './turns.ts'

/** Gives a host back: off, no disc of ours in a drive, nothing armed; then its disks, where they are to look empty. */
export function clean(machine: There, host: HostOrder, begun: Begun): Turn {
  const left = leave(machine, host, begun)
  if (left.is !== 'done') return left
  if (host.cleaning === 'metadata')
    return failed(
      'its disks are to be cleaned, and no ramdisk is set up for that: set automatedCleaningMode to disabled, or set one up',
      false,
    )
  return done('it is off, and nothing of ours is left on it', { powered: false })
}

/** Nothing of ours stays on the machine; it is switched off for that. */
export function leave(machine: There, host: HostOrder, begun: Begun): Turn {
  const off = powerOff(machine, { ...host, neverOff: false }, begun)
  if (off.is !== 'done') return off
  const ours = machine.slots?.find(({ inserted, image, id }) => inserted && (image === host.image?.url || id === begun.memory?.slot))
  if (ours) return begin(begun, 'its disc is taken out', { do: 'eject', slot: ours.id })
  if (machine.armed.lasts !== 'Disabled' && machine.armed.target === 'Cd') return begin(begun, 'nothing stays armed', { do: 'disarm' })
  return done('it is off, and nothing of ours is left on it', { powered: false })
}
