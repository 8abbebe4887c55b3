import type { Kind } from './kind.ts'
import { bmc } from './metal/bmc.ts'
import { bmcSecret } from './metal/bmc-secret.ts'
import { endpoint } from './metal/endpoint.ts'
import { server } from './metal/server.ts'
import { serverBootConfiguration } from './metal/server-boot-configuration.ts'
import { serverClaim } from './metal/server-claim.ts'
import { serverMaintenance } from './metal/server-maintenance.ts'

/** Every kind of ours; CRDs, docs and the rest are made from this list. */
export const kinds: readonly Kind[] = [bmc, bmcSecret, endpoint, server, serverBootConfiguration, serverClaim, serverMaintenance]
