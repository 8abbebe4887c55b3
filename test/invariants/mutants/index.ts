import type { Setting } from '../../../src/sim/story.ts'
import { metalProgram } from '../../scenarios/metal/program.ts'
import { metalSetting } from '../../scenarios/metal/setting.ts'
import {
  claimedOverHttp,
  discGoes,
  discovered,
  fromDisc,
  inTurn,
  maintained,
  maintenanceGoes,
  type metalStories,
  powerCycled,
  released,
} from '../../scenarios/metal/stories.ts'
import { twoValveProcesses, valveSetting, valvesLease } from '../../scenarios/valve/setting.ts'
import { changesItsMind, closesBeforeItGoes, oneLeads, opens, turnedByHand } from '../../scenarios/valve/stories.ts'
import type { AnyStory } from '../engine/stories.ts'
import { controllerMutants } from './controller.ts'
import { heldMutants } from './held.ts'
import { mediaMutants } from './media.ts'
import { metalMutants } from './metal.ts'
import type { MetalMutant, MetalStory, Mutant, ValveMutant } from './mutant.ts'
import { policyMutants } from './policy.ts'
import { runtimeMutants } from './runtime.ts'

export const mutants: readonly Mutant[] = [
  ...runtimeMutants,
  ...controllerMutants,
  ...metalMutants,
  ...heldMutants,
  ...mediaMutants,
  ...policyMutants,
]

/** The stories as they are, and with the mutant in them. */
export function storiesWith(mutant: Mutant): readonly Pair[] {
  return 'metal' in mutant ? metalStoriesWith(mutant) : valveStoriesWith(mutant)
}

interface Pair {
  readonly right: AnyStory
  readonly wrong: AnyStory
}

const told: Readonly<Record<MetalStory, (typeof metalStories)[number]>> = {
  released,
  powerCycled,
  claimed: claimedOverHttp,
  discovered,
  maintained,
  maintenanceGoes,
  inTurn,
  fromDisc,
  discGoes,
}

function metalStoriesWith({ metal, shows }: MetalMutant): readonly Pair[] {
  const setting: typeof metalSetting = { ...metalSetting, program: (ports, lab) => metalProgram(ports, lab, metal) }
  const first = told[shows]
  return [first, ...Object.values(told).filter(story => story !== first)].map(story => ({
    right: story as unknown as AnyStory,
    wrong: { ...story, setting } as unknown as AnyStory,
  }))
}

function valveStoriesWith(mutant: ValveMutant): readonly Pair[] {
  const setting = (mutant.contest ? twoValveProcesses : valveSetting) as Setting
  const options = mutant.contest ? { lease: valvesLease } : {}
  const mutated = { ...setting, program: (ports, devices) => mutant.program(ports, devices as never, options) } as typeof valveSetting
  const valves = mutant.contest ? [oneLeads] : [opens, closesBeforeItGoes, changesItsMind, turnedByHand]
  return valves.map(story => ({ right: story as unknown as AnyStory, wrong: { ...story, setting: mutated } as unknown as AnyStory }))
}
