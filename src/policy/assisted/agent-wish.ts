import type { RootDeviceHints } from '../metal3/root-device.ts'
import { type AgentDisk, installationDisk } from './installation-disk.ts'

const prefix = 'bmac.agent-install.openshift.io'
/** Names the host on its Agent. */
export const hostLabel = 'agent-install.openshift.io/bmh'
const nodeLabel = `${prefix}.node-label.`
const agentLabel = `${prefix}.agent-label.`

/** What a host says of how its Agent is installed. */
export interface AgentWishes {
  readonly host: string
  readonly annotations: Readonly<Record<string, string>>
  readonly hints: RootDeviceHints | undefined
  readonly disks: readonly AgentDisk[]
  /** The InfraEnv binds its Agents to a cluster by itself. */
  readonly infraEnvHasCluster: boolean
}

export interface AgentPatch {
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Readonly<Record<string, unknown>>
}

const copied = {
  role: 'role',
  hostname: 'hostname',
  'machine-config-pool': 'machineConfigPool',
  'installer-args': 'installerArgs',
  'ignition-config-overrides': 'ignitionConfigOverrides',
} as const

/** What the Agent of a host is to say; or what of the host makes no sense. What a host does not say of it stays as it is. */
export function agentWish({ host, annotations, hints, disks, infraEnvHasCluster }: AgentWishes): AgentPatch | { readonly wrong: string } {
  const cluster = clusterOf(annotations[`${prefix}/cluster-reference`], infraEnvHasCluster)
  if ('wrong' in cluster) return cluster
  const said = Object.entries(copied).flatMap(([name, field]) => {
    const value = annotations[`${prefix}/${name}`]
    return value === undefined ? [] : [[field, value] as const]
  })
  const disk = installationDisk(hints, disks)
  const fencing = annotations[`${prefix}/fencing-credentials-secret-name`]
  return {
    labels: { [hostLabel]: host, ...withPrefix(annotations, agentLabel) },
    spec: {
      approved: true,
      ...Object.fromEntries(said),
      ...(disk === undefined ? {} : { installation_disk_id: disk }),
      ...cluster,
      nodeLabels: withPrefix(annotations, nodeLabel),
      ...(fencing ? { fencingCredentialsSecretRef: { name: fencing } } : {}),
    },
  }
}

const withPrefix = (annotations: AgentWishes['annotations'], start: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(annotations)
      .filter(([name]) => name.startsWith(start))
      .map(([name, value]) => [name.slice(start.length), value]),
  )

/** `namespace/name`; an empty text takes the Agent out of its cluster, none leaves it where it is. */
function clusterOf(
  said: string | undefined,
  infraEnvHasCluster: boolean,
): { readonly clusterDeploymentName?: object | null } | { readonly wrong: string } {
  if (said === undefined) return {}
  if (infraEnvHasCluster) return { wrong: `${prefix}/cluster-reference is set, and its InfraEnv names a cluster as well` }
  if (said === '') return { clusterDeploymentName: null }
  const [, namespace, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(said) ?? []
  return namespace === undefined || name === undefined
    ? { wrong: `${prefix}/cluster-reference is no namespace/name` }
    : { clusterDeploymentName: { namespace, name } }
}
