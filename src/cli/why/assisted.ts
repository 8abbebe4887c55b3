import type { Agent } from '../../controllers/assisted/resources.ts'
import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import { infraEnvLabel } from '../../policy/host-image/gate.ts'
import { type Chain, end, link } from './chain.ts'
import { conditionIn } from './remedies.ts'

/** Why a host that the assisted agent installs does not go on, and who can change that; undefined where it does not wait for that. */
export function whyAssisted(host: BareMetalHost, agent: Agent | undefined): Chain | undefined {
  const said = conditionIn(host.status, 'Assisted')
  if (said === undefined || said.status === 'True') return undefined
  const way = wayOf(said.reason, host, agent)
  return way && end(link('Assisted', said.message || said.reason, said.lastTransitionTime), ...way)
}

function wayOf(reason: string, { metadata, status }: BareMetalHost, agent: Agent | undefined): readonly [string, string] | undefined {
  const { name, namespace = 'default', labels = {} } = metadata
  const kubectl = `kubectl -n ${namespace}`
  const change = (spec: object): string =>
    agent === undefined
      ? `${kubectl} get agents`
      : `${kubectl} patch agent ${agent.metadata.name} --type merge -p '${JSON.stringify({ spec })}'`
  const look = agent === undefined ? `${kubectl} get agents` : `${kubectl} describe agent ${agent.metadata.name}`
  const cluster = agent?.spec?.clusterDeploymentName
  const installs = status?.provisioning?.state === 'provisioning'
  switch (reason) {
    case 'WaitingForApproval':
      return installs ? ['a person who approves of its Agent', change({ approved: true })] : undefined
    case 'WaitingForPerson':
      if (!installs) return undefined
      return cluster === undefined
        ? ['a person who says which cluster its Agent joins', change({ clusterDeploymentName: { name: '<cluster>', namespace } })]
        : [
            `a person who begins the installation of cluster ${cluster.namespace ?? namespace}/${cluster.name}, or adds what that lacks`,
            look,
          ]
    case 'WaitingForAgent':
      return installs
        ? ['nobody: it is tried again by itself where its agent does not call', `rackwright timeline host/${name}`]
        : undefined
    case 'Installing':
      return installs ? ['nobody: it goes on by itself', look] : undefined
    case 'InstallationFailed':
      return installs ? ['whoever looks after its cluster', look] : undefined
    case 'InfraEnvMissing':
    case 'WaitingForIgnition':
      return ['whoever looks after its InfraEnv', `${kubectl} get infraenv ${labels[infraEnvLabel] ?? ''} -o yaml`]
    case 'TooLittleMemory':
    case 'ConfigurationError':
      return ['you: something of it has to be another', `${kubectl} edit bmh ${name}`]
    default:
      return undefined
  }
}
