import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { firmware } from './firmware.ts'
import type { Sight } from './sight.ts'
import { start } from './start.ts'
import { type Begun, done, withMachine } from './turns.ts'

/** What is done to an installed host between being switched off and on: nothing is booted for it but its own system, and nothing is installed. */
export function service(sight: Sight, host: HostOrder, begun: Begun): Turn {
  // It runs: nobody asked for a restart of it, and it is not taken down for this.
  const runs = sight.is === 'there' && sight.power === 'On' && begun.memory?.work !== 'service'
  if (runs && host.firmware !== undefined && !host.neverOff)
    return done('it runs: its firmware is left to its next restart', { powered: true })
  const turn = firmware(sight, host, begun) ?? withMachine(sight, machine => start(machine, host, begun))
  if (turn.is === 'done') return done('its firmware is as it is wanted, and it is on', { powered: true })
  return turn.is === 'failed' && sight.is === 'there' ? { ...turn, powered: sight.power === 'On' } : turn
}
