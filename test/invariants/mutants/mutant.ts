import type { Mode } from '../../../src/sim/faults/fault.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { MetalProgramOptions } from '../../scenarios/metal/program.ts'
import { type Motors, type ProgramOptions, valveProgram } from '../../scenarios/valve/setting.ts'

/** A mistake that somebody might make in the runtime or in a controller, made around its ports: `src` knows nothing of it. */
export type Mutant = ValveMutant | MetalMutant

interface Mistake {
  readonly name: string
  /** Why it would be bad, in a sentence. */
  readonly bad: string
  /** Where it takes two faults to see it: of which modes, so that not every pair must be tried. */
  readonly looks?: readonly Mode[]
}

export interface ValveMutant extends Mistake {
  /** Where stories with two processes and a Lease are needed to see it. */
  readonly contest?: true
  program(ports: ProcessPorts, devices: Motors, options: ProgramOptions): Running
}

export type MetalStory =
  | 'discovered'
  | 'claimed'
  | 'powerCycled'
  | 'released'
  | 'maintained'
  | 'maintenanceGoes'
  | 'inTurn'
  | 'fromDisc'
  | 'discGoes'

/** A mistake in the controllers of servers and claims. */
export interface MetalMutant extends Mistake {
  readonly metal: MetalProgramOptions
  /** The story in which it shows; the others are tried after it. */
  readonly shows: MetalStory
}

type Change = (ports: ProcessPorts) => Partial<ProcessPorts>

/** The right controller on ports that are not what they seem. */
export const onPorts = (name: string, bad: string, change: Change, more: Partial<ValveMutant> = {}): ValveMutant => ({
  name,
  bad,
  program: (ports, devices, options) => valveProgram({ ...ports, ...change(ports) }, devices, options),
  ...more,
})

/** A wrong controller on the right ports. */
export const remade = (name: string, bad: string, remake: NonNullable<ProgramOptions['remake']>): ValveMutant => ({
  name,
  bad,
  program: (ports, devices, options) => valveProgram(ports, devices, { ...options, remake }),
})
