import type { Setting } from '../../../src/sim/story.ts'
import { twoValveProcesses, valveSetting, valvesLease } from '../../scenarios/valve/setting.ts'
import { changesItsMind, closesBeforeItGoes, oneLeads, opens, turnedByHand } from '../../scenarios/valve/stories.ts'
import type { AnyStory } from '../engine/stories.ts'
import { controllerMutants } from './controller.ts'
import type { Mutant } from './mutant.ts'
import { runtimeMutants } from './runtime.ts'

export const mutants: readonly Mutant[] = [...runtimeMutants, ...controllerMutants]

/** The stories as they are, and with the mutant in them. */
export function storiesWith(mutant: Mutant): readonly { readonly right: AnyStory; readonly wrong: AnyStory }[] {
  const setting = (mutant.contest ? twoValveProcesses : valveSetting) as Setting
  const options = mutant.contest ? { lease: valvesLease } : {}
  const mutated = { ...setting, program: (ports, devices) => mutant.program(ports, devices as never, options) } as typeof valveSetting
  const told = mutant.contest ? [oneLeads] : [opens, closesBeforeItGoes, changesItsMind, turnedByHand]
  return told.map(story => ({ right: story as unknown as AnyStory, wrong: { ...story, setting: mutated } as unknown as AnyStory }))
}
