import type { Step } from './world.ts'

/** What loading from a source came to: something that runs, a place to wait in, or a reason why not. */
export type LoadedFrom =
  | { readonly os: string; readonly steps: readonly Step[] }
  | { readonly stop: 'shell' | 'setup' }
  | { readonly failed: string }
