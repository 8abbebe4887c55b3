import type { Story } from '../../../src/sim/story.ts'
import { follows, oneKeeps } from '../../scenarios/boot-images/stories.ts'
import { firmwareStories, updatesBios } from '../../scenarios/firmware/stories.ts'
import {
  claimedOverHttp,
  discGoes,
  discovered,
  fromDisc,
  inTurn,
  maintained,
  maintenanceGoes,
  metalStories,
  oneBoots,
  powerCycled,
  released,
} from '../../scenarios/metal/stories.ts'
import { hostGoes, hostStories, inspectedAgain, livesFromDisc } from '../../scenarios/metal3/stories.ts'
import { changesItsMind, closesBeforeItGoes, opens, valveStories } from '../../scenarios/valve/stories.ts'

// A story keeps its own devices and words to itself: whoever runs it need not know them.
export type AnyStory = Story<never, never>

export const stories: readonly AnyStory[] = [
  ...valveStories,
  ...metalStories,
  ...hostStories,
  follows,
  oneKeeps,
  ...firmwareStories,
] as unknown as readonly AnyStory[]

/** Three stories are tried with each pair that is distinct; of the others so many for each first fault, as chance picks them. */
export const pairsOf = ({ name }: AnyStory): 'distinct' | number => (core.includes(name) ? 'distinct' : (few.get(name) ?? 3))
const core: readonly string[] = [opens.name, closesBeforeItGoes.name, changesItsMind.name]
/** Long stories: their single faults are many, and of their pairs chance picks few. */
const few = new Map<string, number>([
  [follows.name, 1],
  [oneKeeps.name, 0],
  [discovered.name, 1],
  [claimedOverHttp.name, 1],
  [released.name, 1],
  [powerCycled.name, 0],
  [oneBoots.name, 0],
  [maintained.name, 0],
  [maintenanceGoes.name, 0],
  [inTurn.name, 0],
  [fromDisc.name, 0],
  [discGoes.name, 0],
  [updatesBios.name, 0],
  [livesFromDisc.name, 0],
  [hostGoes.name, 0],
  [inspectedAgain.name, 0],
])
