import type { KubeObject } from '../core/object.ts'
import type { Attributes, Clock, HttpRequest, Ids, Log, User, Verdict } from '../ports/index.ts'
import type { Registry } from './registry.ts'
import type { ResourceRequest } from './request.ts'
import type { Resource } from './resource.ts'
import type { Schemas } from './schemas.ts'
import type { Views } from './view.ts'
import type { World } from './world/world.ts'

/** The parts of one API server instance that verbs use. */
export interface Api {
  readonly world: World
  readonly registry: Registry
  readonly schemas: Schemas
  readonly views: Views
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  authorize(user: User, what: Attributes): Verdict
  /** Refuses writes that schema and RBAC alone would let through (a role may not grant what its author lacks). Throws ApiError. */
  guard(user: User, resource: Resource, object: KubeObject, old: KubeObject | undefined): void
}

/** One authenticated and authorised request for a resource. */
export interface Call {
  readonly request: HttpRequest
  readonly query: URLSearchParams
  readonly user: User
  readonly info: ResourceRequest
  readonly resource: Resource
}
