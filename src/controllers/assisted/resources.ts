import { agent } from '../../api/assisted/agent.ts'
import { infraEnv } from '../../api/assisted/infra-env.ts'
import type { Of } from '../../api/kind.ts'
import { clusterOperator } from '../../api/openshift/foreign.ts'
import { resourceOf } from '../../ports/index.ts'
import { hosts, images } from '../metal3/resources.ts'

export type InfraEnv = Of<typeof infraEnv>
export type Agent = Of<typeof agent>
export type ClusterOperator = Of<typeof clusterOperator>

// Each part works where nobody has heard of the others.
export const infraEnvs = { ...resourceOf(infraEnv), optional: true as const }
export const agents = { ...resourceOf(agent), optional: true as const }
export const assistedHosts = { ...hosts, optional: true as const }
export const assistedImages = { ...images, optional: true as const }
export const clusterOperators = { ...resourceOf(clusterOperator), optional: true as const }
