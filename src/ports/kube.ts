import type { Millis } from '../core/duration.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { KubeObject, ObjectMeta } from '../core/object.ts'

declare const objectType: unique symbol

/** Names a resource as data, and (for the compiler only) the type of its objects. Kinds in src/api fit as they are. */
export interface ResourceRef<T extends KubeObject = KubeObject> {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespaced: boolean
  /** Only a part of its objects is of interest: it has a cache of its own, and nothing else is heard of or kept. */
  readonly part?: Where
  /** Somebody else's: where it is not served, it counts as having no objects, and is asked for again every minute. */
  readonly optional?: true
  readonly [objectType]?: T
}

/** Names an object within its resource. */
export interface ObjectKey {
  readonly name: string
  readonly namespace?: string
}

/** Which objects of a resource: all of them, or those of a namespace, with labels, with fields (in Kubernetes' selector syntax). */
export interface Where {
  readonly namespace?: string
  readonly labels?: string
  readonly fields?: string
}

export interface Listing<T> {
  /** What the list is true for: watch from here. */
  readonly revision: string
  readonly items: readonly T[]
}

/** What happens to a resource, as a reader needs to hear it. */
export type KubeEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Everything up to `revision` has been told; `complete` once after the first state (see Watcher). */
  | { readonly type: 'BOOKMARK'; readonly revision: string; readonly complete: boolean }
  /** The history is gone: forget what you gathered when the next `complete` bookmark comes; the whole state follows as ADDED. */
  | { readonly type: 'RELIST'; readonly because: string }
  /** Nothing is heard for a while; it goes on by itself after `again`. */
  | { readonly type: 'INTERRUPTED'; readonly because: string; readonly again: Millis }

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface WriteOptions extends RequestOptions {
  readonly subresource?: 'status' | 'scale' | 'finalize'
  readonly dryRun?: boolean
  /** Who this writer is in managedFields. */
  readonly manager?: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface DeleteOptions extends RequestOptions {
  /** Refused with Conflict unless the object still is the one that was seen. */
  readonly uid?: string
  readonly revision?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly dryRun?: boolean
}

/** One patch as data. A merge or strategic patch that carries metadata.resourceVersion is refused with Conflict when it is stale. */
export type Patch =
  | { readonly merge: object }
  | { readonly strategic: object }
  | { readonly json: readonly JsonPatchStep[] }
  | { readonly apply: object; readonly manager: string; readonly force?: boolean }

export type JsonPatchStep =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json | object }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

/** An object as its creator writes it: the server fills in the rest, the name too where generateName is given. */
export type NewObject<T extends KubeObject> = { readonly [K in keyof T]: K extends 'metadata' ? Partial<ObjectMeta> : T[K] }

export interface Reader {
  /** Straight from the server. ApiError NotFound where there is none. */
  get<T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey, options?: RequestOptions): Promise<T>
  /** The same, with `undefined` for an object that is not there; a resource that is not served still throws. */
  find<T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey, options?: RequestOptions): Promise<T | undefined>
  /** All of them at one revision, read page by page. */
  list<T extends KubeObject>(of: ResourceRef<T>, where?: Where, options?: RequestOptions): Promise<Listing<T>>
}

export interface Watcher {
  /**
   * Without `from`: the present state as ADDED events, a `complete` bookmark, then every change. With it: the changes after that revision.
   * Resumes by itself, never skips, never ends before its signal; batches are as they came.
   */
  watch<T extends KubeObject>(
    of: ResourceRef<T>,
    where: Where & { readonly from?: string },
    signal: AbortSignal,
  ): AsyncIterable<readonly KubeEvent<T>[]>
}

export interface Writer {
  create<T extends KubeObject>(of: ResourceRef<T>, object: NewObject<T>, options?: Omit<WriteOptions, 'subresource'>): Promise<T>
  /** Replaces the object; refused with Conflict unless its resourceVersion is current. */
  update<T extends KubeObject>(of: ResourceRef<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubeObject>(of: ResourceRef<T>, key: ObjectKey, patch: Patch, options?: Omit<WriteOptions, 'manager'>): Promise<T>
  delete(of: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<void>
}

/** Posts to a subresource that is an action rather than a view, such as `token` of a ServiceAccount. */
export interface Caller {
  call<Answer = JsonObject>(of: ResourceRef, key: ObjectKey, subresource: string, body: object, options?: RequestOptions): Promise<Answer>
}

/** The Kubernetes API as controllers see it; each takes the roles it uses. Objects may be shared: they are never changed in place. */
export interface Kube extends Reader, Watcher, Writer, Caller {}
