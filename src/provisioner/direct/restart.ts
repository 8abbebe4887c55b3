import { minutes } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, givenFor, giveUp, type Noted, pending } from './turns.ts'

/** How long a system has for shutting down before its machine is reset. */
const patience = minutes(3)
/** So long a machine may show what was so before. */
const settles = minutes(1)

/** In place of being switched off and on: told once, and again where its machine shows that nothing came of it. */
export function restart(machine: There, off: HostOrder['off'], begun: Begun, noted: Noted = {}): Turn {
  const given = givenFor(begun, 'restart')
  const tries = given === undefined ? 0 : (begun.memory?.tries ?? 1)
  if (given !== undefined) {
    if (hasRestarted(machine, begun)) return done('it was restarted', { powered: true })
    if (machine.power !== 'On' || given < (shows(machine, begun) ? patience : settles)) return pending('it is being restarted')
    if (tries >= 3) return giveUp(begun, `it does not restart, although it was told ${tries} times`)
  }
  const asks = off === 'soft' && tries < 2
  const because = tries === 0 ? 'it may not be switched off, and is restarted instead' : 'it did not restart, and is told once more'
  return begin(
    begun,
    because,
    { do: 'restart', how: asks ? 'graceful' : 'forced' },
    {
      ...noted,
      ...(machine.reset === undefined ? {} : { reset: machine.reset }),
      ...(tries === 0 ? {} : { tries: tries + 1 }),
    },
  )
}

/** Whether the restart that was noted last has happened. Where a controller does not say when its machine was reset, a minute has to do. */
export function hasRestarted(machine: There, begun: Begun): boolean {
  const given = givenFor(begun, 'restart')
  return (
    given !== undefined && given >= settles && machine.power === 'On' && (!shows(machine, begun) || machine.reset !== begun.memory?.reset)
  )
}

const shows = (machine: There, { memory }: Begun): boolean => machine.reset !== undefined && memory?.reset !== undefined
