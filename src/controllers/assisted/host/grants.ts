import { type Grant, granting, keepingStatus, watching } from '../../../ports/index.ts'
import { agents, assistedHosts, assistedImages, clusterOperators, infraEnvs } from '../resources.ts'

export const assistedHostGrants: readonly Grant[] = [
  ...[assistedHosts, assistedImages, infraEnvs, agents, clusterOperators].map(watching),
  keepingStatus(assistedHosts),
  granting(assistedHosts, ['patch'], 'asks for a host of an InfraEnv to be installed by its agent, and gives it back'),
  granting(assistedImages, ['patch'], 'points the image of a host to the Ignition of its InfraEnv'),
  granting(agents, ['patch'], 'approves the Agent of a host, and tells it what the host says'),
]
