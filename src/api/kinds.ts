import type { Kind } from './kind.ts'
import { bmc } from './metal/bmc.ts'
import { bmcSecret } from './metal/bmc-secret.ts'
import { endpoint } from './metal/endpoint.ts'
import { server } from './metal/server.ts'
import { serverBootConfiguration } from './metal/server-boot-configuration.ts'
import { serverClaim } from './metal/server-claim.ts'
import { serverMaintenance } from './metal/server-maintenance.ts'
import { bootImageHistory } from './openshift/boot-image-history.ts'
import { foreignKinds } from './openshift/foreign.ts'
import { machineConfiguration } from './openshift/machine-configuration.ts'

/** Every kind of bare metal; CRDs, docs and the rest are made from this list. */
export const kinds: readonly Kind[] = [bmc, bmcSecret, endpoint, server, serverBootConfiguration, serverClaim, serverMaintenance]

/** Kinds of managed boot images, with those of other projects that they are about: only where somebody wants them. */
export const openshiftKinds: readonly Kind[] = [machineConfiguration, bootImageHistory, ...foreignKinds]
