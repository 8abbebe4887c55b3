import type { Mode } from '../../../src/sim/faults/fault.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { AssistedProgramOptions } from '../../scenarios/assisted/setting.ts'
import type { FirmwareProgramOptions } from '../../scenarios/firmware/program.ts'
import type { RolloutOptions } from '../../scenarios/firmware/rollout.ts'
import type { LabOptions } from '../../scenarios/metal/lab.ts'
import type { MetalProgramOptions } from '../../scenarios/metal/program.ts'
import type { HostProgramOptions } from '../../scenarios/metal3/setting.ts'
import { type Motors, type ProgramOptions, valveProgram } from '../../scenarios/valve/setting.ts'

/** A mistake that somebody might make in the runtime or in a controller, made around its ports: `src` knows nothing of it. */
export type Mutant =
  | ValveMutant
  | MetalMutant
  | FirmwareMutant
  | RolloutMutant
  | HostMutant
  | DiscMutant
  | RaidMutant
  | HostFirmwareMutant
  | AssistedMutant

interface Mistake {
  readonly name: string
  /** Why it would be bad, in a sentence. */
  readonly bad: string
  /** Where it takes two faults to see it: of which modes, so that not every pair must be tried. */
  readonly looks?: readonly Mode[]
  /** What the sentence of a violation must have in it, where not any trouble that it makes will do. */
  readonly by?: string
}

/** A mistake about hosts of InfraEnvs. */
export interface AssistedMutant extends Mistake {
  readonly assisted: AssistedProgramOptions
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
  | 'leftAlone'
  | 'twins'

/** A mistake in the controllers of servers and claims. */
export interface MetalMutant extends Mistake {
  readonly metal: MetalProgramOptions
  /** Where the world around the controllers is part of it. */
  readonly lab?: LabOptions
  /** The story in which it shows; the others are tried after it. */
  readonly shows: MetalStory
}

export type FirmwareStory = 'updatesBios' | 'setsBios' | 'leavesAlone' | 'staysRefused'

/** A mistake about firmware: in its controllers, or in the programs of jobs. */
export interface FirmwareMutant extends Mistake {
  readonly firmware: FirmwareProgramOptions
  /** The only story that is tried: it has what the mistake needs. */
  readonly shows: FirmwareStory
}

/** A mistake about a fleet. */
export interface RolloutMutant extends Mistake {
  readonly rollout: RolloutOptions
}

export type HostStory =
  | 'livesFromDisc'
  | 'hostGoes'
  | 'inspectedAgain'
  | 'installedByAgent'
  | 'rotatedMeanwhile'
  | 'notSure'
  | 'givenBack'
  | 'goesDetached'
export type DiscStory = 'findsItsDisc' | 'findsAnother' | 'discIsTakenOut' | 'hostGoesWithDisc' | 'neverSwitchedOff'

/** A mistake in the controller of hosts, or in its engine. */
export interface HostMutant extends Mistake {
  readonly host: HostProgramOptions
  readonly shows: HostStory
}

/** A mistake about discs that a host finds: in their controller, in that of hosts, or in its engine. */
export interface DiscMutant extends Mistake {
  readonly disc: HostProgramOptions
  /** The only story that is tried: it has what the mistake needs. */
  readonly shows: DiscStory
}

/** A mistake about volumes that are made on a host's disks. */
export interface RaidMutant extends Mistake {
  readonly raid: HostProgramOptions
}

export type HostFirmwareStory = 'setsBeforeUse' | 'servicedAtRestart'

/** A mistake about the firmware of hosts. */
export interface HostFirmwareMutant extends Mistake {
  readonly hostFirmware: HostProgramOptions
  /** The only story that is tried: it has what the mistake needs. */
  readonly shows: HostFirmwareStory
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
