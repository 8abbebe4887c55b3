import { generic } from './generic.ts'
import type { Personality } from './personality.ts'

export type { Personality } from './personality.ts'

/** The makes of server that can be simulated. */
export const personalities: readonly Personality[] = [generic]
