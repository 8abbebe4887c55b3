import type { Instant, Millis } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Action, Plan } from '../core/plan.ts'
import type { Caller, ObjectKey, ResourceRef, Where, Writer } from './kube.ts'

/** One kind and how it is brought to what it should be: everything read first, one pure decision, every write after. */
export interface Reconciler<O extends KubeObject = KubeObject, Seen = unknown, A extends Action = Action> {
  /** Names the controller in metrics, logs and Events. */
  readonly name: string
  readonly kind: ResourceRef<O>
  /** Kinds whose changes concern this one (its own kind too, if objects look at each other). Their caches are what `observe` may read. */
  readonly watches: readonly Watch[]
  /** Put on every object that is not being deleted before anything is decided; taken off by the action `release` of a plan. */
  readonly finalizer?: string
  /**
   * Its objects have a controller of their own, whose status it is. This one adds conditions of other types, says nothing of generations,
   * and tells its faults in a condition of this type.
   */
  readonly beside?: string
  /** Every read, no write, and only what the phase needs. A plain record, so that a decision can be printed and replayed. */
  observe(object: O, look: Look): Promise<Seen>
  /** Pure, synchronous, total. */
  decide(seen: Seen, now: Instant): Plan<A>
  /**
   * What else entitles it to destructive actions besides the object (a claim, a maintenance), as it was seen. Before the first such action
   * each is read past the caches together with the object: where one is not the same any more, nothing is done.
   */
  entitledBy?(seen: Seen): readonly Entitlement[]
  readonly perform: Performers<O, A>
}

/**
 * An object as it was seen: at a revision, or with a wish where what others report in its status takes nothing away.
 * Neither: that there is none.
 */
export interface Entitlement {
  readonly of: ResourceRef
  readonly key: ObjectKey
  readonly revision?: string | undefined
  readonly wish?: Wish | undefined
}

/** What people want of an object: another generation, a deletion or another value of these annotations is another wish. */
export interface Wish {
  readonly uid: string | undefined
  readonly generation: number | undefined
  readonly deleting: boolean
  readonly annotations?: Readonly<Record<string, string | undefined>>
}

/** Data: a change of an object of `of` concerns these objects of the reconciler's kind. */
export interface Watch<W extends KubeObject = KubeObject> {
  readonly of: ResourceRef<W>
  /** `'owner'`: the object of our kind that its ownerReferences name. */
  readonly wakes: 'owner' | Wakes<W>
}

/** A method's type, so that watches of different kinds stand in one list. */
export type Wakes<W extends KubeObject> = { keys(changed: W, own: () => readonly KubeObject[]): readonly ObjectKey[] }['keys']

/** `own` are the objects of the reconciler's kind, as far as the cache shows them: to wake those that a change could matter to. */
export const wokenBy = <W extends KubeObject>(
  of: ResourceRef<W>,
  wakes: 'owner' | ((changed: W, own: () => readonly KubeObject[]) => readonly ObjectKey[]),
): Watch<W> => ({
  of,
  wakes,
})

/** Files objects of a resource under values, so that `Cached.by` finds them without looking at all. */
export interface Index<T extends KubeObject = KubeObject> {
  readonly of: ResourceRef<T>
  readonly name: string
  values(object: T): readonly string[]
}

export interface Look {
  readonly signal: AbortSignal
  /** What became of the previous plan's actions: memory only, so no decision may need it for safety. */
  readonly last: Outcome | undefined
  /**
   * For how long this process has found `fact` to be so: since the first of the looks in a row that asked. By the clock that never jumps,
   * and from first sight, so a jump of the wall clock or a restart never shortens a hold.
   */
  lasting(fact: string): Millis
  /** Facts that begin with these words could not be looked at this time: those that were so are taken to be so still, and none begins. */
  unseen(begins: string): void
}

export interface Outcome {
  readonly because: string
  /** The verb that failed, with its fault's code, retry class and words; undefined where all went well. */
  readonly failed?: { readonly do: string; readonly code: string; readonly message: string }
}

/** One idempotent function per verb (`release` is the runtime's). `destructive` ones run only after a fresh read agreed that nothing has changed. */
export type Performers<O extends KubeObject, A extends Action> = {
  readonly [V in Exclude<A['do'], 'release'>]: Performer<O, Extract<A, { readonly do: V }>>
}

export interface Performer<O extends KubeObject, A extends Action> {
  /** Cannot be undone, or reaches outside the API: power, reset, boot override, wipe, flash, media. */
  readonly destructive?: true
  /** `object` is as committed; `signal` fires at the deadline, when the lease runs out and when the process stops. */
  run(action: A, on: { readonly object: O; readonly signal: AbortSignal }): Promise<void>
}

/** The caches of this process. Answers are shared and frozen. */
export interface Cached {
  get<T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey): T | undefined
  list<T extends KubeObject>(of: ResourceRef<T>, namespace?: string): readonly T[]
  /** Objects that an index files under `value`; indexes are declared when the controllers are opened. */
  by<T extends KubeObject>(of: ResourceRef<T>, index: string, value: string): readonly T[]
}

/** The API as a controller sees it: reads from the caches, writes that are remembered until the caches show them, and fresh reads. */
export interface ControllerKube extends Writer, Caller {
  readonly cached: Cached
  fresh<T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey, signal?: AbortSignal): Promise<T | undefined>
  /** All of them past the caches; a kind that is not served has none where it may be missing. */
  freshList<T extends KubeObject>(of: ResourceRef<T>, where: Where, signal?: AbortSignal): Promise<readonly T[]>
}
