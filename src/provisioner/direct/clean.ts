import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { leave } from './leave.ts'
import type { Sight } from './sight.ts'
import { type Begun, failed, withMachine } from './turns.ts'
import { needsRamdisk, withRamdisk } from './with-ramdisk.ts'

/** Gives a host back: its disks look empty where that is asked for, it is off where it may be, and nothing of ours is in a drive or armed. */
export function clean(sight: Sight, host: HostOrder, begun: Begun): Turn {
  const left = () => withMachine(sight, machine => leave(machine, host, begun))
  if (host.cleaning === 'disabled') return left()
  if (sight.is === 'there' && sight.ramdisk === undefined) {
    const turn = left()
    if (turn.is !== 'done') return turn
    return failed(`its disks are to be cleaned, and ${needsRamdisk}: set automatedCleaningMode to disabled, or set one up`, false)
  }
  return withRamdisk(sight, host, begun, left)
}
