import type { Story } from '../../../src/sim/story.ts'
import { valveStories } from '../../scenarios/valve/stories.ts'

// A story keeps its own devices and words to itself: whoever runs it need not know them.
export type AnyStory = Story<never, never>

export const stories: readonly AnyStory[] = [...valveStories] as unknown as readonly AnyStory[]
