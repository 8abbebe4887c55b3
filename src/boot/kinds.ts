import type { Of } from '../api/kind.ts'
import { server } from '../api/metal/server.ts'
import { serverBootConfiguration } from '../api/metal/server-boot-configuration.ts'
import type { KubeObject } from '../core/object.ts'
import { type ResourceRef, resourceOf } from '../ports/index.ts'

export const servers = resourceOf(server)
export const configurations = resourceOf(serverBootConfiguration)
export const secrets: ResourceRef<KubeObject & { readonly data?: Readonly<Record<string, string>> }> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  namespaced: true,
}
export const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }

export type Server = Of<typeof server>
export type Configuration = Of<typeof serverBootConfiguration>
export type Boot = NonNullable<NonNullable<Server['status']>['boot']>
export type Facts = NonNullable<NonNullable<Configuration['status']>['served']>
export type Fetched = NonNullable<Facts['fetches']>[number]
export type What = Fetched['what']
export type Registration = NonNullable<Facts['registration']>
