import type { Story } from '../../../src/sim/story.ts'
import { oneLeads, sideBySide, valveStories } from '../../scenarios/valve/stories.ts'

// A story keeps its own devices and words to itself: whoever runs it need not know them.
export type AnyStory = Story<never, never>

export const stories: readonly AnyStory[] = [...valveStories] as unknown as readonly AnyStory[]

/** Where one thing more goes on at the same time, pairs are too many to try each that is distinct: so many for each first fault, as chance picks them. */
export const pairsOf = ({ name }: AnyStory): 'distinct' | number => (name === sideBySide.name || name === oneLeads.name ? 6 : 'distinct')
