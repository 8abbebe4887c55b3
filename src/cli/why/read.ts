import { agentAmong } from '../../controllers/assisted/host/observe.ts'
import { type Agent, agents } from '../../controllers/assisted/resources.ts'
import { bmcs, configurations, type Server, type ServerBootConfiguration, servers } from '../../controllers/metal/resources.ts'
import { type BareMetalHost, dataImages, firmwareComponents, firmwareSettings, updatePolicies } from '../../controllers/metal3/resources.ts'
import { infraEnvLabel } from '../../policy/host-image/gate.ts'
import type { ObjectKey, Reader } from '../../ports/index.ts'
import type { Target } from '../target.ts'
import type { Chain } from './chain.ts'
import { whyClaim } from './claim.ts'
import { whyHost } from './host.ts'
import type { HostFirmware } from './host-firmware.ts'
import { type ServerFacts, whyServer } from './server.ts'

/** Reads what the answer needs from the API, and answers. */
export async function whyOf(kube: Reader, target: Target): Promise<Chain> {
  if (target.is === 'server') return whyServer(await serverFacts(kube, target.server))
  if (target.is === 'host') {
    const { name, namespace = 'default' } = target.host.metadata
    const disc = await kube.find(dataImages, { name, namespace }).catch(() => undefined)
    return whyHost(target.host, { ...(await firmwareOf(kube, target.host)), disc, agent: await assistedAgentOf(kube, target.host) })
  }
  const { claim } = target
  const name = claim.status?.binding?.server ?? claim.spec.serverRef?.name
  const server = name === undefined ? undefined : await kube.find(servers, { name })
  return whyClaim({ claim, server: server && (await serverFacts(kube, server)) })
}

/** Clusters that have Metal3's older kinds alone have none of these. */
async function firmwareOf(kube: Reader, { metadata }: BareMetalHost): Promise<HostFirmware> {
  const key = { name: metadata.name, namespace: metadata.namespace ?? 'default' }
  const [settings, components, policy] = await Promise.all([
    kube.find(firmwareSettings, key),
    kube.find(firmwareComponents, key),
    kube.find(updatePolicies, key),
  ])
  return { settings, components, policy }
}

/** Only a host that is linked to an InfraEnv has one; clusters without an assisted service do not know the kind. */
async function assistedAgentOf(kube: Reader, host: BareMetalHost): Promise<Agent | undefined> {
  const { labels = {}, namespace = 'default' } = host.metadata
  if (!Object.hasOwn(labels, infraEnvLabel)) return undefined
  const found = await kube.list(agents, { namespace }).catch(() => undefined)
  return found && agentAmong(host, found.items)
}

export async function serverFacts(kube: Reader, server: Server): Promise<ServerFacts> {
  const { bmcRef, bootConfigurationRef, serverClaimRef } = server.spec
  const find = async (key: ObjectKey | undefined): Promise<ServerBootConfiguration | undefined> =>
    key === undefined ? undefined : kube.find(configurations, { name: key.name, namespace: key.namespace ?? 'default' })
  const [bmc, configuration, booting] = await Promise.all([
    bmcRef ? kube.find(bmcs, { name: bmcRef.name }) : undefined,
    find(serverClaimRef ? (bootConfigurationRef ?? serverClaimRef) : undefined),
    find(server.status?.boot?.configuration),
  ])
  return { server, bmc, configuration, booting }
}
