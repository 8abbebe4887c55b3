import { isFalse } from '../../../core/condition.ts'
import { idle, type Plan, wait } from '../../../core/plan.ts'
import { reasonOf } from '../read-image.ts'
import { notAskedYet } from './doubt.ts'
import type { MachineThere, Seen } from './seen.ts'
import { nowAndThen, soon } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Does something with a machine that answers and is the right one; otherwise says what is in the way. */
export function withMachine(seen: Seen, does: (machine: MachineThere) => Plan<Verb>): Plan<Verb> {
  const { machine } = seen
  switch (machine.is) {
    case 'there':
      return does(machine)
    case 'silent':
      // Nobody has tried yet: that is no trouble to tell of.
      if (machine.code === notAskedYet) return wait(machine.because, soon)
      return wait(machine.because, nowAndThen, { status: { conditions: [isFalse('Reachable', reasonOf(machine.code), machine.because)] } })
    case 'doubtful':
      return wait(machine.because, nowAndThen)
    case 'unasked':
      return idle('asks its BMC')
    default:
      return machine satisfies never
  }
}

export const isOff = ({ machine }: Seen): boolean => machine.is === 'there' && machine.power === 'Off'
export const isDoubtful = ({ machine }: Seen): boolean => machine.is === 'doubtful'
