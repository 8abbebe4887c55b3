export { seenAs, watchLine } from './entry.ts'
export { type OpenWorld, openWorld, type WorldOptions } from './open.ts'
export type { Change, Draft, Entry, World } from './world.ts'
