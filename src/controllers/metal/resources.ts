import type { Of } from '../../api/kind.ts'
import { bmc } from '../../api/metal/bmc.ts'
import { endpoint } from '../../api/metal/endpoint.ts'
import { server } from '../../api/metal/server.ts'
import { serverBootConfiguration } from '../../api/metal/server-boot-configuration.ts'
import { serverClaim } from '../../api/metal/server-claim.ts'
import { serverMaintenance } from '../../api/metal/server-maintenance.ts'
import { serverReadinessRule } from '../../api/metal/server-readiness-rule.ts'
import { resourceOf } from '../../ports/index.ts'

export type BMC = Of<typeof bmc>
export type Endpoint = Of<typeof endpoint>
export type Server = Of<typeof server>
export type ServerClaim = Of<typeof serverClaim>
export type ServerMaintenance = Of<typeof serverMaintenance>
export type ServerReadinessRule = Of<typeof serverReadinessRule>
export type ServerBootConfiguration = Of<typeof serverBootConfiguration>

export const bmcs = resourceOf(bmc)
export const endpoints = resourceOf(endpoint)
export const servers = resourceOf(server)
export const claims = resourceOf(serverClaim)
export const configurations = resourceOf(serverBootConfiguration)
export const maintenances = resourceOf(serverMaintenance)
export const readinessRules = resourceOf(serverReadinessRule)

/** Held by the server controller until a server that goes has nothing armed any more. */
export const serverFinalizer = 'metal.ironcore.dev/server'
