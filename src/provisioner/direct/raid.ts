import { raidText } from '../../policy/metal3/raid.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { leave } from './leave.ts'
import type { Sight } from './sight.ts'
import { type Begun, failed, giveUp, note, often, pending, soon, withMachine } from './turns.ts'
import { needsRamdisk, withRamdisk } from './with-ramdisk.ts'

/** Its volumes, by the steps of the agent in its ramdisk; undefined where they are as they are wanted. */
export function raid(sight: Sight, host: HostOrder, begun: Begun): Turn | undefined {
  const memory = begun.memory?.work === 'prepare' ? begun.memory : undefined
  const wish = raidText(host.raid)
  // A step that runs is never broken off: it writes to disks.
  const runs =
    sight.is === 'agent' && sight.said !== undefined && 'commands' in sight.said && sight.said.commands.at(-1)?.status === 'RUNNING'
  const isOther = memory?.volumes !== undefined && memory.volumes !== wish
  if (isOther && runs) return pending('other volumes are wanted meanwhile; its agent ends its step first', often)
  if (isOther) return anew(begun, wish)
  if (wish === undefined) return undefined
  if (memory?.stage === 'leave') return memory.because === undefined ? undefined : undone(sight, host, begun, memory.because)
  if (sight.is === 'there' && sight.ramdisk === undefined) return failed(`its RAID volumes are to be made, and ${needsRamdisk}`, false)
  // What was begun for its firmware is not taken for a start of the ramdisk.
  if (memory !== undefined && memory.volumes === undefined && memory.stage === undefined)
    return { is: 'progress', because: 'its volumes are next', again: soon, memory: note({ ...begun, volumes: wish }, 'volumes') }
  const turn = withRamdisk(sight, host, { ...begun, volumes: wish }, () => pending('its volumes are made'))
  // Whatever failed, the ramdisk does not stay on the machine for that.
  return turn.is === 'failed' && sight.is === 'agent' ? stops({ ...begun, volumes: wish }, turn.because) : turn
}

const stops = (begun: Begun, because: string): Turn => ({
  is: 'progress',
  because,
  again: soon,
  memory: note(begun, 'failed', { stage: 'leave', plan: [], because }),
})

function undone(sight: Sight, host: HostOrder, begun: Begun, because: string): Turn {
  const left = withMachine(sight, machine => leave(machine, host, begun))
  return left.is === 'done' ? giveUp(begun, because) : left
}

/** Begins from the start, as another try; where nothing is wanted any more, the machine is left. */
function anew(begun: Begun, wish: string | undefined): Turn {
  const memory = begun.memory && { ...begun.memory, work: 'earlier' }
  const stage = wish === undefined ? ({ stage: 'leave' } as const) : {}
  return { is: 'progress', because: 'other volumes are wanted meanwhile', again: soon, memory: note({ ...begun, memory }, 'anew', stage) }
}
