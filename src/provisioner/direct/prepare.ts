import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { firmware } from './firmware.ts'
import { leave } from './leave.ts'
import { raid } from './raid.ts'
import type { Sight } from './sight.ts'
import { type Begun, done, withMachine } from './turns.ts'

/** One part of a preparation: what it does next, or nothing where its share is done. */
export type Part = (sight: Sight, host: HostOrder, begun: Begun) => Turn | undefined

/** In this order: what its firmware is comes before what is made on its disks. */
const parts: readonly Part[] = [firmware, raid]

/** Everything that is to be done before anybody may use a host; whatever was left on the machine is taken away at the end. */
export function prepare(sight: Sight, host: HostOrder, begun: Begun): Turn {
  for (const part of parts) {
    const turn = part(sight, host, begun)
    if (turn) return turn
  }
  const { memory } = begun
  const wasBooted = memory !== undefined && (memory.work === 'prepare' || memory.stage !== undefined || memory.slot !== undefined)
  // What was started only for its firmware has no system that could be asked.
  const restarted = memory?.work === 'prepare' && (memory.step === 'set' || memory.step === 'written')
  return wasBooted
    ? withMachine(sight, machine => leave(machine, restarted ? { ...host, off: 'hard' } : host, begun))
    : done('there is nothing to prepare')
}
