import type { Setting } from '../../../src/sim/story.ts'
import { assistedProgram, assistedSetting } from '../../scenarios/assisted/setting.ts'
import { installedByAssisted } from '../../scenarios/assisted/stories.ts'
import { firmwareProgram } from '../../scenarios/firmware/program.ts'
import { rolloutProgram, rolloutSetting, stopsRollout } from '../../scenarios/firmware/rollout.ts'
import { firmwareSetting } from '../../scenarios/firmware/setting.ts'
import { leavesAlone, setsBios, staysRefused, updatesBios } from '../../scenarios/firmware/stories.ts'
import { metalProgram } from '../../scenarios/metal/program.ts'
import { type metalSetting, settingOf } from '../../scenarios/metal/setting.ts'
import {
  claimedOverHttp,
  discGoes,
  discovered,
  fromDisc,
  inTurn,
  leftAlone,
  maintained,
  maintenanceGoes,
  type metalStories,
  powerCycled,
  released,
  twins,
} from '../../scenarios/metal/stories.ts'
import { discSetting } from '../../scenarios/metal3/disc-setting.ts'
import { discIsTakenOut, findsAnother, findsItsDisc, hostGoesWithDisc, neverSwitchedOff } from '../../scenarios/metal3/disc-stories.ts'
import { hostFirmwareProgram, hostFirmwareSetting } from '../../scenarios/metal3/firmware-setting.ts'
import { servicedAtRestart, setsBeforeUse } from '../../scenarios/metal3/firmware-stories.ts'
import { makesVolumes, raidSetting } from '../../scenarios/metal3/raid-stories.ts'
import { type DiscReconciler, hostProgram, hostSetting } from '../../scenarios/metal3/setting.ts'
import {
  givenBack,
  goesDetached,
  hostGoes,
  inspectedAgain,
  installedByAgent,
  livesFromDisc,
  notSure,
  rotatedMeanwhile,
} from '../../scenarios/metal3/stories.ts'
import { twoValveProcesses, valveSetting, valvesLease } from '../../scenarios/valve/setting.ts'
import { changesItsMind, closesBeforeItGoes, oneLeads, opens, turnedByHand } from '../../scenarios/valve/stories.ts'
import type { AnyStory } from '../engine/stories.ts'
import { assistedMutants } from './assisted.ts'
import { controllerMutants } from './controller.ts'
import { discMutants } from './discs.ts'
import { firmwareMutants } from './firmware.ts'
import { heldMutants } from './held.ts'
import { hostFirmwareMutants } from './host-firmware.ts'
import { hostMutants } from './hosts.ts'
import { mediaMutants } from './media.ts'
import { metalMutants } from './metal.ts'
import type {
  DiscMutant,
  FirmwareMutant,
  HostFirmwareMutant,
  HostMutant,
  HostStory,
  MetalMutant,
  MetalStory,
  Mutant,
  ValveMutant,
} from './mutant.ts'
import { policyMutants } from './policy.ts'
import { raidMutants } from './raid.ts'
import { rolloutMutants } from './rollout.ts'
import { runtimeMutants } from './runtime.ts'
import { sureMutants } from './sure.ts'
import { sureHostMutants } from './sure-hosts.ts'

export const mutants: readonly Mutant[] = [
  ...runtimeMutants,
  ...controllerMutants,
  ...metalMutants,
  ...heldMutants,
  ...mediaMutants,
  ...policyMutants,
  ...sureMutants,
  ...firmwareMutants,
  ...rolloutMutants,
  ...hostMutants,
  ...assistedMutants,
  ...sureHostMutants,
  ...discMutants,
  ...raidMutants,
  ...hostFirmwareMutants,
]

/** The stories as they are, and with the mutant in them. */
export function storiesWith(mutant: Mutant): readonly Pair[] {
  if ('rollout' in mutant) {
    const program: typeof rolloutSetting.program = (ports, machines) => rolloutProgram(ports, machines, mutant.rollout)
    const wrong = { ...stopsRollout, setting: { ...rolloutSetting, program } }
    return [{ right: stopsRollout as unknown as AnyStory, wrong: wrong as unknown as AnyStory }]
  }
  if ('firmware' in mutant) return firmwareStoriesWith(mutant)
  if ('assisted' in mutant) {
    const program: typeof assistedSetting.program = (ports, lab) => assistedProgram(ports, lab, mutant.assisted)
    const wrong = { ...installedByAssisted, setting: { ...assistedSetting, program } }
    return [{ right: installedByAssisted as unknown as AnyStory, wrong: wrong as unknown as AnyStory }]
  }
  if ('hostFirmware' in mutant) return hostFirmwareStoriesWith(mutant)
  if ('host' in mutant) return hostStoriesWith(mutant)
  if ('disc' in mutant) return discStoriesWith(mutant)
  if ('raid' in mutant) {
    const setting: typeof raidSetting = { ...raidSetting, program: (ports, lab) => hostProgram(ports, lab, mutant.raid) }
    return [{ right: makesVolumes as unknown as AnyStory, wrong: { ...makesVolumes, setting } as unknown as AnyStory }]
  }
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
  leftAlone,
  twins,
}

function metalStoriesWith({ metal, shows, lab: options }: MetalMutant): readonly Pair[] {
  const settingFor = (story: unknown): typeof metalSetting => ({
    ...settingOf(story === twins ? ['srv-1', 'srv-2'] : ['srv-1'], options),
    program: (ports, lab) => metalProgram(ports, lab, metal),
  })
  const first = told[shows]
  return [first, ...Object.values(told).filter(story => story !== first)].map(story => ({
    right: story as unknown as AnyStory,
    wrong: { ...story, setting: settingFor(story) } as unknown as AnyStory,
  }))
}

function firmwareStoriesWith({ firmware, shows }: FirmwareMutant): readonly Pair[] {
  const setting: typeof firmwareSetting = { ...firmwareSetting, program: (ports, lab) => firmwareProgram(ports, lab, firmware) }
  const story = { updatesBios, setsBios, leavesAlone, staysRefused }[shows]
  return [{ right: story as unknown as AnyStory, wrong: { ...story, setting } as unknown as AnyStory }]
}

const ofHosts: Readonly<Record<HostStory, typeof livesFromDisc>> = {
  livesFromDisc,
  hostGoes,
  inspectedAgain,
  installedByAgent,
  rotatedMeanwhile,
  notSure,
  givenBack,
  goesDetached,
}

function hostStoriesWith({ host, shows }: HostMutant): readonly Pair[] {
  const setting: typeof hostSetting = { ...hostSetting, program: (ports, lab) => hostProgram(ports, lab, host) }
  const first = ofHosts[shows]
  return [first, ...Object.values(ofHosts).filter(story => story !== first)].map(story => ({
    right: story as unknown as AnyStory,
    wrong: { ...story, setting } as unknown as AnyStory,
  }))
}

function discStoriesWith({ disc, shows }: DiscMutant): readonly Pair[] {
  const story = { findsItsDisc, findsAnother, discIsTakenOut, hostGoesWithDisc, neverSwitchedOff }[shows]
  const options = { discs: (same: DiscReconciler) => same, ...disc }
  const setting: typeof discSetting = { ...discSetting, program: (ports, lab) => hostProgram(ports, lab, options) }
  return [{ right: story as unknown as AnyStory, wrong: { ...story, setting } as unknown as AnyStory }]
}

function hostFirmwareStoriesWith({ hostFirmware, shows }: HostFirmwareMutant): readonly Pair[] {
  const setting: typeof hostFirmwareSetting = {
    ...hostFirmwareSetting,
    program: (ports, lab) => hostFirmwareProgram(ports, lab, hostFirmware),
  }
  const story = { setsBeforeUse, servicedAtRestart }[shows]
  return [{ right: story as unknown as AnyStory, wrong: { ...story, setting } as unknown as AnyStory }]
}

function valveStoriesWith(mutant: ValveMutant): readonly Pair[] {
  const setting = (mutant.contest ? twoValveProcesses : valveSetting) as Setting
  const options = mutant.contest ? { lease: valvesLease } : {}
  const mutated = { ...setting, program: (ports, devices) => mutant.program(ports, devices as never, options) } as typeof valveSetting
  const valves = mutant.contest ? [oneLeads] : [opens, closesBeforeItGoes, changesItsMind, turnedByHand]
  return valves.map(story => ({ right: story as unknown as AnyStory, wrong: { ...story, setting: mutated } as unknown as AnyStory }))
}
