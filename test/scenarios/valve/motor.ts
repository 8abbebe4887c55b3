import type { Motor, Reading } from '../../../examples/controller/valve.ts'
import { type Millis, seconds } from '../../../src/core/duration.ts'
import type { Clock } from '../../../src/ports/index.ts'

/** A simulated motor: it takes its time, and what it agreed to it does, one turn after the other. */
export interface SimulatedMotor {
  readonly reading: Reading
  /** Turns that it agreed to and has not finished. */
  readonly owed: number
  turn(): void
}

const turning: Millis = seconds(5)

export function simulatedMotor(clock: Clock): SimulatedMotor {
  let open = false
  let turns = 0
  let owed = 0
  const finish = (): void => {
    open = !open
    turns++
    owed--
    if (owed > 0) clock.after(turning, finish)
  }
  return {
    get reading() {
      return { position: owed > 0 ? ('Moving' as const) : open ? ('Open' as const) : ('Closed' as const), turns }
    },
    get owed() {
      return owed
    },
    turn() {
      owed++
      if (owed === 1) clock.after(turning, finish)
    },
  }
}

/** The port over all motors of a world; one that is not there does not answer. */
export const motorPort = (motors: ReadonlyMap<string, SimulatedMotor>): Motor => {
  const at = (address: string): SimulatedMotor => {
    const motor = motors.get(address)
    if (!motor) throw new Error(`no motor at ${address}`)
    return motor
  }
  return {
    read: async address => at(address).reading,
    turn: async address => at(address).turn(),
  }
}
