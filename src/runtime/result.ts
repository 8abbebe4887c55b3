import type { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Action, Plan } from '../core/plan.ts'
import type { Clock, ControllerKube, Performer, Reconciler } from '../ports/index.ts'
import type { Deadlines } from './deadline.ts'
import type { Echoes } from './echoes.ts'
import type { Step } from './faults.ts'
import type { Need } from './marks.ts'

/** What one reconcile stands on. */
export interface Ground {
  readonly reconciler: Reconciler
  readonly kube: ControllerKube
  readonly clock: Clock
  readonly echoes: Echoes
  /** The runtime's own actions. */
  readonly finalizing: ReadonlyMap<string, Performer<KubeObject, Action>>
  /** Throws where this process may not act (any more). */
  readonly mayAct: () => void
  readonly deadlines: Deadlines
  /** What is known of the status of this kind: some of others' have no observedGeneration, and drop it. */
  readonly status: { hasGeneration: boolean; readonly told: string }
}

/** How a reconcile ended. */
export type Result =
  | { readonly is: 'planned'; readonly plan: Plan; readonly object: KubeObject; readonly changed: boolean }
  /** Somebody was quicker. If it was about the object itself, `need` says what the cache has to show before the next look. */
  | { readonly is: 'overtaken'; readonly because: string; readonly need: Need | undefined }
  | Failure

export interface Failure {
  readonly is: 'failed'
  readonly fault: Fault
  readonly step: Step
  /** The verb that failed. */
  readonly verb?: string
  readonly plan?: Plan
  readonly object: KubeObject
  readonly changed: boolean
  /** Resolves when an action that is over its time really ends. */
  readonly ended?: Promise<void>
}
