import type { Condition } from './condition.ts'
import type { Millis } from './duration.ts'

/** One write to the world, named by its verb. Idempotent by construction: ids come from the object, never from an earlier action. */
export interface Action {
  readonly do: string
}

/** Takes the controller's finalizer off its object. The runtime performs it; it is the last thing a plan does. */
export interface Release extends Action {
  readonly do: 'release'
}
export const release: Release = { do: 'release' }

/** Something worth telling people once: it becomes an Event on the object. */
export interface Happening {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/**
 * What a controller decided, as data. `because` is the sentence people read in status, events, logs and `why`.
 * `status` is a merge patch of what this controller owns: a key left out stays, `null` removes.
 */
export interface Plan<A extends Action = Action> {
  readonly because: string
  readonly status: StatusPatch
  readonly actions: readonly A[]
  readonly events: readonly Happening[]
  /**
   * Look again after this long even if nothing changes. Left out: a plan that acted or changed the status is followed by another look
   * at once (later and later while it only repeats itself); any other rests until something changes.
   */
  readonly again?: Millis
  /** Look again after this long at the latest; a plan that would be looked at sooner is. */
  readonly latest?: Millis
}

export interface StatusPatch {
  readonly conditions?: readonly Condition[]
  readonly [field: string]: unknown
}

type Rest<A extends Action> = Partial<Omit<Plan<A>, 'because'>>

const plan = <A extends Action>(because: string, rest: Rest<A>): Plan<A> => ({ because, status: {}, actions: [], events: [], ...rest })

/** Nothing to do until something changes. */
export const idle = <A extends Action = never>(because: string, rest: Rest<A> = {}): Plan<A> => plan(because, rest)

/** Nothing to do now; look again after `again`. */
export const wait = <A extends Action = never>(because: string, again: Millis, rest: Rest<A> = {}): Plan<A> =>
  plan(because, { again, ...rest })

/** Do these, in order, stopping at the first that fails. */
export const act = <A extends Action>(because: string, actions: readonly A[], rest: Rest<A> = {}): Plan<A> =>
  plan(because, { actions, ...rest })
