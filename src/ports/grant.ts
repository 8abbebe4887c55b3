import type { ResourceRef } from './kube.ts'

export type GrantVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** A right that something needs, said beside the code that uses it. Roles are made of these, and tests hold the calls to them. */
export interface Grant {
  readonly group: string
  /** A plural, with its subresource where it is about that: `servers/status`. */
  readonly resource: string
  readonly verbs: readonly GrantVerb[]
  readonly because: string
  /** Only in the manager's own namespace. */
  readonly within?: 'manager'
}

export const granting = (of: ResourceRef, verbs: readonly GrantVerb[], because: string): Grant => ({
  group: of.group,
  resource: of.plural,
  verbs,
  because,
})

/** What a controller looks at: its caches, and the fresh read before anything that cannot be undone. */
export const watching = (of: ResourceRef): Grant => granting(of, ['get', 'list', 'watch'], 'is watched, and read afresh before it acts')

/** One merge patch of the status, before anything is done. */
export const keepingStatus = (of: ResourceRef): Grant => ({
  group: of.group,
  resource: `${of.plural}/status`,
  verbs: ['patch'],
  because: 'keeps its status',
})

export const holding = (of: ResourceRef): Grant => granting(of, ['patch'], 'puts its finalizer on, and takes it off')

/** Some clusters (OpenShift) let only those own an object with blockOwnerDeletion who may change the owner's finalizers. */
export const owning = (of: ResourceRef): Grant => ({
  group: of.group,
  resource: `${of.plural}/finalizers`,
  verbs: ['update'],
  because: 'is named as an owner whose deletion waits, which some clusters check',
})
