import { agents, type InfraEnv, infraEnvs } from '../../controllers/assisted/resources.ts'
import {
  type BareMetalHost,
  firmwareSettings,
  type HostFirmwareSettings,
  hardwareData,
  hosts,
  images,
} from '../../controllers/metal3/resources.ts'
import { conditionOf } from '../../core/condition.ts'
import type { NewObject } from '../../ports/index.ts'
import { secrets } from '../compose/bmc-access.ts'
import type { DemoRack } from '../compose/rack.ts'
import type { ZeroTouch } from '../compose/zero-touch.ts'
import type { Teller } from './teller.ts'

const namespace = 'default'
const label = 'infraenvs.agent-install.openshift.io'
/** What this make's BIOS is told; it comes from the factory as Disabled. */
const wanted = { SriovGlobalEnable: 'Enabled' }

const reasonOf = ({ status }: BareMetalHost): string | undefined => conditionOf(status, 'Assisted')?.reason
const stateOf = ({ status }: BareMetalHost): string | undefined => status?.provisioning?.state
const isWaiting = (host: BareMetalHost): boolean => stateOf(host) === 'provisioning' && reasonOf(host) === 'WaitingForPerson'
const discsIn = ({ rack }: DemoRack, name: string): number =>
  Object.values(rack.machine(name).media ?? {}).filter(({ image }) => image !== undefined).length

/** Three objects, and nobody touches the machine. */
export async function linked({ kube, chapter, say, sees }: Teller, demo: DemoRack, name: string): Promise<void> {
  chapter('A host is linked to an InfraEnv')
  say(`kubectl apply: InfraEnv edge; BareMetalHost ${name} with a RAID volume; HostFirmwareSettings ${JSON.stringify(wanted)}`)
  const key = { name, namespace }
  const { rack, listening } = demo
  const stringData = { username: rack.username, password: rack.password(name) }
  await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-bmc`, namespace }, stringData })
  await kube.create(infraEnvs, {
    apiVersion: 'agent-install.openshift.io/v1beta1',
    kind: 'InfraEnv',
    metadata: { name: 'edge', namespace },
    spec: {},
  } as NewObject<InfraEnv>)
  await kube.create(firmwareSettings, {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'HostFirmwareSettings',
    metadata: key,
    spec: { settings: wanted },
  } as unknown as NewObject<HostFirmwareSettings>)
  await kube.create(hosts, {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: { ...key, labels: { [label]: 'edge' } },
    spec: {
      online: true,
      bmc: {
        address: `redfish-virtualmedia+https://${new URL(listening.url(name)).host}`,
        credentialsName: `${name}-bmc`,
        disableCertificateVerification: true,
      },
      inspectionMode: 'agent',
      automatedCleaningMode: 'metadata',
      raid: { softwareRAIDVolumes: [{ level: '1' }] },
    },
  } as NewObject<BareMetalHost>)
  await sees(
    'its image has settled and is ready: one live ISO, with two agents in its Ignition',
    async () => (await kube.find(images, key))?.status?.imageUrl,
  )
}

/** Before anybody decides what it becomes, it is known and set up. */
export async function prepared({ kube, chapter, sees, host, say, whyHost }: Teller, { rack }: DemoRack, name: string): Promise<void> {
  chapter('The Ironic agent looks at it, and sets it up')
  const data = await sees('it booted the disc, and told what it is made of', () => kube.find(hardwareData, { name, namespace }))
  const { cpu, ramMebibytes } = data.spec?.hardware ?? {}
  say(`${cpu?.count ?? 0} threads, ${Math.round((ramMebibytes ?? 0) / 1024)} GiB of memory`)
  await host(name, 'the assisted agent has called, and waits for a person', isWaiting)
  const machine = rack.machine(name)
  const bios = { ...machine.model.bios, ...machine.bios }
  say(`On the machine itself: SriovGlobalEnable is ${String(bios['SriovGlobalEnable'])}, RAID volumes: ${machine.volumes?.length ?? 0}.`)
  await whyHost(name)
}

/** The person may take days. */
export async function installed({ kube, chapter, say, sees, host }: Teller, demo: DemoRack, name: string): Promise<void> {
  chapter('A person says which cluster it joins')
  const [agent] = (await kube.list(agents, { namespace })).items
  say('kubectl patch agent: clusterDeploymentName edge')
  const cluster = { clusterDeploymentName: { name: 'edge', namespace } }
  await kube.patch(agents, { name: agent?.metadata.name ?? '', namespace }, { merge: { spec: cluster } })
  await host(name, 'the assisted agent installs it', found => reasonOf(found) === 'Installing' || stateOf(found) === 'provisioned')
  await host(
    name,
    'it is provisioned, and runs from its disk',
    found => stateOf(found) === 'provisioned' && found.status?.poweredOn === true,
  )
  await sees('its image is gone', async () => ((await kube.find(images, { name, namespace })) ? undefined : true))
  say(`Discs in its drives: ${discsIn(demo, name)}. On its disk: ${demo.rack.machine(name).disk?.os ?? 'nothing'}.`)
}

/** And back. */
export async function unbound(
  { kube, chapter, say, host, sees }: Teller,
  zeroTouch: ZeroTouch,
  demo: DemoRack,
  name: string,
): Promise<void> {
  chapter('It is taken out of its cluster')
  const [agent] = (await kube.list(agents, { namespace })).items
  say('Somebody unbinds the Agent.')
  await zeroTouch.service.unbind({ name: agent?.metadata.name ?? '', namespace })
  await sees('its disk was emptied', async () => (demo.rack.machine(name).disk === undefined ? true : undefined))
  await host(name, 'it booted its disc anew, and waits for the next person', found => isWaiting(found) && discsIn(demo, name) === 1)
}
