import type { Story } from '../../../src/sim/story.ts'
import { assistedStories, givenBackByAgent } from '../../scenarios/assisted/stories.ts'
import { follows, oneKeeps } from '../../scenarios/boot-images/stories.ts'
import { inMaintenance } from '../../scenarios/firmware/in-maintenance.ts'
import { stopsRollout } from '../../scenarios/firmware/rollout.ts'
import { firmwareStories } from '../../scenarios/firmware/stories.ts'
import { imageStories, merges, recovers } from '../../scenarios/host-images/stories.ts'
import {
  claimedByPxe,
  claimedOverHttp,
  cycledByHand,
  discGoes,
  discovered,
  fromDisc,
  inTurn,
  leftAlone,
  maintained,
  maintenanceGoes,
  metalStories,
  oneBoots,
  powerCycled,
  quietInstaller,
  released,
  twins,
} from '../../scenarios/metal/stories.ts'
import {
  atOnce,
  discIsTakenOut,
  discStories,
  findsAnother,
  findsItsDisc,
  hostGoesWithDisc,
  neverSwitchedOff,
  notWantedMeanwhile,
} from '../../scenarios/metal3/disc-stories.ts'
import { hostFirmwareStories } from '../../scenarios/metal3/firmware-stories.ts'
import { makesVolumes } from '../../scenarios/metal3/raid-stories.ts'
import {
  givenBack,
  hostGoes,
  hostStories,
  installedByAgent,
  notSure,
  oneInstalls,
  rotatedMeanwhile,
} from '../../scenarios/metal3/stories.ts'
import { opens, valveStories } from '../../scenarios/valve/stories.ts'

// A story keeps its own devices and words to itself: whoever runs it need not know them.
export type AnyStory = Story<never, never>

export const stories: readonly AnyStory[] = [
  ...valveStories,
  ...metalStories,
  ...hostStories,
  ...discStories,
  makesVolumes,
  ...hostFirmwareStories,
  ...imageStories,
  ...assistedStories,
  follows,
  oneKeeps,
  ...firmwareStories,
  inMaintenance,
  stopsRollout,
] as unknown as readonly AnyStory[]

/** One story is tried with each pair that is distinct, every day; of the others so many for each first fault, as chance picks them. */
export const pairsOf = ({ name }: AnyStory): 'distinct' | number => (name === opens.name ? 'distinct' : (few.get(name) ?? 1))
/** Long stories: their single faults are many, and of their pairs chance picks few. */
const few = new Map<string, number>([
  [follows.name, 1],
  [oneKeeps.name, 0],
  [discovered.name, 1],
  [claimedOverHttp.name, 1],
  [claimedByPxe.name, 0],
  [quietInstaller.name, 0],
  [cycledByHand.name, 0],
  [released.name, 1],
  [powerCycled.name, 0],
  [oneBoots.name, 0],
  [maintained.name, 0],
  [maintenanceGoes.name, 0],
  [inTurn.name, 0],
  [fromDisc.name, 0],
  [discGoes.name, 0],
  [leftAlone.name, 0],
  [twins.name, 0],
  ...[...firmwareStories, inMaintenance, stopsRollout].map(({ name }) => [name, 0] as const),
  ...hostStories.map(({ name }) => [name, 0] as const),
  [merges.name, 1],
  [recovers.name, 1],
  ...assistedStories.map(({ name }) => [name, 0] as const),
  ...[...discStories, makesVolumes].map(({ name }) => [name, 0] as const),
  ...hostFirmwareStories.map(({ name }) => [name, 0] as const),
])

/** Of the longest stories a day tries one in so many single faults, and the first of each call; `--all` tries every one. */
export const thinOf = ({ name }: AnyStory): number | undefined => thinned.get(name)
const thinned = new Map<string, number>([
  [oneBoots.name, 3],
  [maintained.name, 3],
  [maintenanceGoes.name, 3],
  [inTurn.name, 4],
  [fromDisc.name, 2],
  [discGoes.name, 3],
  [oneKeeps.name, 3],
  [oneInstalls.name, 3],
  [hostGoes.name, 2],
  [installedByAgent.name, 2],
  [rotatedMeanwhile.name, 4],
  [notSure.name, 4],
  [givenBack.name, 4],
  [findsItsDisc.name, 6],
  [findsAnother.name, 12],
  [discIsTakenOut.name, 12],
  [hostGoesWithDisc.name, 12],
  [atOnce.name, 8],
  [notWantedMeanwhile.name, 8],
  [neverSwitchedOff.name, 12],
  [makesVolumes.name, 8],
  ...hostFirmwareStories.map(({ name }) => [name, 12] as const),
  [leftAlone.name, 2],
  [twins.name, 2],
  ...assistedStories.map(({ name }) => [name, 24] as const),
  // Begins as the one in which it is installed, whose faults are tried there.
  [givenBackByAgent.name, 96],
  ...[...firmwareStories, stopsRollout].map(({ name }) => [name, 5] as const),
  [inMaintenance.name, 24],
])
