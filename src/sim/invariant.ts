import type { Millis } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { ResourceRef } from '../ports/index.ts'
import type { Entry } from './action-log.ts'

/** The world as an invariant sees it: at one instant, without asking anybody. */
export interface Sight<Devices = unknown> {
  readonly elapsed: Millis
  readonly log: readonly Entry[]
  readonly devices: Devices
  objects<T extends KubeObject>(of: ResourceRef<T>): readonly T[]
}

/** Something that must hold at every step. */
export interface Invariant<Devices = unknown> {
  /** As a sentence of what never, or always, is. */
  readonly name: string
  /** Begins with each run. Called after each entry of the log, and without one each time the world has settled; a sentence says how it is broken. */
  begin(sight: Sight<Devices>): (entry: Entry | undefined) => string | undefined
}
