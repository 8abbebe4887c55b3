import { assistedKinds } from '../../src/api/kinds.ts'
import { clusterOperator } from '../../src/api/openshift/foreign.ts'
import { assistedHostController } from '../../src/controllers/assisted/host/index.ts'
import type { AssistedPorts } from '../../src/controllers/assisted/host/observe.ts'
import { infraEnvController } from '../../src/controllers/assisted/infra-env/index.ts'
import { type Agent, agents, type InfraEnv, infraEnvs } from '../../src/controllers/assisted/resources.ts'
import { images, type PreprovisioningImage } from '../../src/controllers/metal3/resources.ts'
import { conditionOf, type StampedCondition } from '../../src/core/condition.ts'
import { hours, type Millis, minutes } from '../../src/core/duration.ts'
import type { HttpRequest, NewObject } from '../../src/ports/index.ts'
import { type AssistedService, openAssistedService } from '../../src/sim/assisted/service.ts'
import type { BootWorld } from '../../src/sim/machine/world.ts'
import type { ServerOrder } from '../../src/sim/rack.ts'
import { type Hosts, namespace, openHosts } from '../metal3/hosts.ts'
import { type ImageStudio, openImageStudio } from '../metal3/image-studio.ts'
import { agentsUrl } from '../metal3/ramdisk-world.ts'

export const serviceUrl = 'https://assisted.example'
export const infraEnvLabel = 'infraenvs.agent-install.openshift.io'
export const bmac = (name: string): string => `bmac.agent-install.openshift.io/${name}`

/** Hosts, images, InfraEnvs and Agents, with an assisted service on the network. */
export interface Assisted extends Hosts {
  readonly studio: ImageStudio
  /** What ramdisks wrote before a step of their agent failed. */
  readonly logs: string[]
  service(): AssistedService
  /** A host that is linked to InfraEnv edge. */
  link(name: string, spec?: object, metadata?: { readonly labels?: object; readonly annotations?: object }): Promise<void>
  image(name?: string): Promise<PreprovisioningImage | undefined>
  infraEnv(): Promise<InfraEnv | undefined>
  agent(): Promise<Agent | undefined>
  /** What our condition on a host says. */
  said(name?: string): Promise<StampedCondition | undefined>
  says(reason: string, within?: Millis, name?: string): Promise<void>
  /** A person says which cluster the Agent joins. */
  bind(): Promise<void>
  discs(name?: string): readonly string[]
}

export interface AssistedOptions extends Partial<Omit<AssistedPorts, 'kube'>> {
  readonly infraEnv?: NonNullable<InfraEnv['spec']> | null
}

export async function openAssisted(
  servers: readonly ServerOrder[] = [{ name: 'srv-1' }],
  { infraEnv = {}, ...settings }: AssistedOptions = {},
): Promise<Assisted> {
  const studio = openImageStudio(agentsUrl)
  let service: AssistedService | undefined
  const logs: string[] = []
  const world = await openHosts(servers, {
    builds: true,
    ramdisk: {},
    studio,
    logs: { keep: async ({ name, attempt }, archive) => void logs.push(`${name} ${attempt}: ${Buffer.from(archive).toString()}`) },
    beside: {
      kinds: [...assistedKinds, clusterOperator],
      controllers(running) {
        running.add(kube =>
          assistedHostController({ kube, convergedFlow: 'Auto', builds: true, takeOver: false, leastMemory: 4_096, ...settings }),
        )
        running.add(kube =>
          infraEnvController({
            kube,
            configs: studio.discovery,
            images: studio.images,
            service: { url: serviceUrl, agentImage: 'registry.example/assisted-agent:1' },
          }),
        )
      },
      before(around, { kube, clock }) {
        service = openAssistedService({ kube, clock })
        return beforeService(around, () => service)
      },
    },
  })
  const { kube, until } = world
  if (infraEnv)
    await kube.create(infraEnvs, {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'InfraEnv',
      metadata: { name: 'edge', namespace },
      spec: infraEnv,
    } as NewObject<InfraEnv>)
  await world.clock.settle()
  const agent = async () => (await kube.list(agents, { namespace })).items[0]
  const said = async (name = 'srv-1') => conditionOf((await world.host(name))?.status, 'Assisted')
  return {
    ...world,
    studio,
    logs,
    service: () => service!,
    agent,
    said,
    link: (name, spec = {}, { labels, annotations } = {}) =>
      world.make(
        name,
        { inspectionMode: 'agent', automatedCleaningMode: 'metadata', ...spec },
        { labels: { [infraEnvLabel]: 'edge', ...labels }, ...(annotations ? { annotations } : {}) },
      ),
    image: (name = 'srv-1') => kube.find(images, { name, namespace }),
    infraEnv: () => kube.find(infraEnvs, { name: 'edge', namespace }),
    says: (reason, within = hours(1), name = 'srv-1') =>
      until(within, `${name} says ${reason}`, async () => (await said(name))?.reason === reason),
    async bind() {
      const found = await agent()
      await kube.patch(
        agents,
        { name: found?.metadata.name ?? '', namespace },
        { merge: { spec: { clusterDeploymentName: { name: 'edge', namespace } } } },
      )
      await world.clock.advance(minutes(1))
    },
    discs: (name = 'srv-1') => Object.values(world.rack.machine(name).media ?? {}).flatMap(({ image: disc }) => disc ?? []),
  }
}

/** A network on which the assisted service is, too. */
function beforeService(world: BootWorld, service: () => AssistedService | undefined): BootWorld {
  return {
    ...world,
    async fetch(request) {
      if (!request.url.startsWith(serviceUrl)) return world.fetch(request)
      const { method, headers, body } = request
      const asked: HttpRequest = { method, url: request.url.slice(serviceUrl.length), headers, ...(body ? { body } : {}) }
      const answer = await service()?.handler(asked)
      return answer ? { ...answer, body: answer.body as Uint8Array } : { status: 404, headers: {}, body: new Uint8Array() }
    },
  }
}
