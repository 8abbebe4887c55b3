import { minutes } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { restart } from './restart.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, ended, givenFor, giveUp, insist, pending, soon } from './turns.ts'

/** How long a system has for shutting down, and a machine for doing what it was told. */
const patience = minutes(3)
/** A question may get lost on the way, and asking twice does no harm. */
const asksAgain = minutes(1)
const mostTries = 5

export function powerOn(machine: There, begun: Begun): Turn {
  if (machine.power === 'On') return done('it is on', { powered: true })
  if (machine.power === 'PoweringOn' || machine.power === 'PoweringOff') return pending('its power is changing', soon)
  const words = { asks: 'it is switched on', waits: 'it was switched on', gaveUp: 'it does not come on' }
  return insist(begun, { do: 'switchOn' }, { ...words, patience })
}

/** Its system is asked first, and once more; three minutes after that, or where it is asked for, the power is cut. */
export function powerOff(machine: There, host: Pick<HostOrder, 'off' | 'neverOff'>, begun: Begun): Turn {
  if (machine.power === 'Off') return done('it is off', { powered: false })
  if (machine.power === 'PoweringOff') return pending('it is going off', soon)
  if (host.neverOff) return restart(machine, host.off, begun)
  const questions = host.off === 'soft' ? 2 : 0
  const given = givenFor(begun, 'switchOff')
  const tries = given === undefined ? 0 : (begun.memory?.tries ?? 1)
  const patient = tries < questions ? asksAgain : patience * 2 ** Math.max(0, tries - questions - 1)
  if (given !== undefined && given < patient) return pending(tries <= questions ? 'its system shuts down' : 'its power is being cut')
  if (tries >= mostTries) return giveUp(begun, `it does not go off, although it was told ${tries} times`)
  // Whatever runs there, it runs no longer.
  const counted = { runs: null, ...(tries === 0 ? {} : { tries: tries + 1 }) }
  return tries < questions
    ? begin(begun, `its system is asked ${tries === 0 ? '' : 'once more '}to shut down`, { do: 'switchOff', how: 'graceful' }, counted)
    : begin(
        begun,
        questions === 0 ? 'its power is cut' : 'its system did not shut down: its power is cut',
        { do: 'switchOff', how: 'forced' },
        counted,
      )
}

/**
 * The power is as it is wanted, and that is noted once: the next switch is another one, with all its questions and all its patience. A restart
 * in place of being off stays noted until nobody asks for it any more; otherwise it would happen twice where somebody dies in between.
 */
export function settled(turn: Turn, begun: Begun): Turn {
  const { memory, work } = begun
  if (turn.is !== 'done' || memory === undefined || !['powerOn', 'powerOff', work].includes(memory.work)) return turn
  return work === 'powerOff' && memory.step === 'restart' ? turn : { ...turn, memory: ended(begun, 'done') }
}
