import { minutes } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, givenFor, pending, soon } from './turns.ts'

/** How long a system has for shutting down, and a machine for doing what it was told. */
const patience = minutes(3)

export function powerOn(machine: There, begun: Begun): Turn {
  if (machine.power === 'On') return done('it is on', { powered: true })
  if (machine.power === 'PoweringOn' || machine.power === 'PoweringOff') return pending('its power is changing', soon)
  const given = givenFor(begun, 'switchOn')
  if (given !== undefined && given < patience) return pending('it was switched on')
  return begin(begun, given === undefined ? 'it is switched on' : 'it is switched on once more', { do: 'switchOn' })
}

/** Its system is asked first; after three minutes, or where that is asked for, the power is cut. */
export function powerOff(machine: There, host: Pick<HostOrder, 'off' | 'neverOff'>, begun: Begun): Turn {
  if (machine.power === 'Off') return done('it is off', { powered: false })
  if (machine.power === 'PoweringOff') return pending('it is going off', soon)
  if (host.neverOff) return restart(machine, host, begun)
  const given = givenFor(begun, 'switchOff')
  if (given === undefined && host.off === 'soft')
    return begin(begun, 'its system is asked to shut down', { do: 'switchOff', how: 'graceful' })
  if (given !== undefined && given < patience) return pending(host.off === 'soft' ? 'its system shuts down' : 'its power is being cut')
  return begin(begun, given === undefined ? 'its power is cut' : 'its system did not shut down: its power is cut', {
    do: 'switchOff',
    how: 'forced',
  })
}

function restart(machine: There, { off }: Pick<HostOrder, 'off'>, begun: Begun): Turn {
  const given = givenFor(begun, 'restart')
  if (given === undefined)
    return begin(begun, 'it may not be switched off, and is restarted instead', {
      do: 'restart',
      how: off === 'soft' ? 'graceful' : 'forced',
    })
  if (machine.power !== 'On' || given < minutes(1)) return pending('it is being restarted')
  return done('it was restarted', { powered: true })
}
