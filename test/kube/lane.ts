import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { enrolRack } from '../../src/cli/compose/enrol.ts'
import { type DemoRack, hastened } from '../../src/cli/compose/rack.ts'
import { namespaceOf, pieces } from '../../src/cli/install/pieces.ts'
import { parts, usual } from '../../src/cli/install/values.ts'
import { claims, configurations, type ServerClaim, servers } from '../../src/controllers/metal/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type Kube, type NewObject, type ResourceRef, silent } from '../../src/ports/index.ts'
import { demoImages, discoveryImage, installerProgram, simImage, simRegistry } from '../../src/sim/images/demo.ts'
import { writeLayout } from '../../src/sim/images/layout.ts'
import { withDiscs } from '../../src/sim/machine/world-discs.ts'
import { httpWorld } from '../../src/sim/machine/world-http.ts'
import { openRack, type Rack, type RackEvent } from '../../src/sim/rack.ts'
import { listen } from '../../src/sim/redfish/listen.ts'
import { type Cluster, freePort, startCluster } from '../../tools/kube/cluster.ts'

export const system = usual.namespace
export const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }

/** A real control plane with everything installed as the manifests say, and a simulated rack beside it. */
export interface Lane {
  readonly cluster: Cluster
  /** As an administrator; reads go straight to the server. */
  readonly kube: Kube
  readonly rack: Rack
  /** The address of a disc that its machines can boot. */
  readonly disc: string
  readonly demo: DemoRack
  /** OCI layouts with the images that its machines boot. */
  readonly layouts: Readonly<Record<string, string>>
  /** Everything that really happened to the machines. */
  readonly events: RackEvent[]
  readonly boot: { readonly port: number; readonly url: string }
  /** Called before a BMC answers; what it does delays the answer. */
  onCall: (server: string, method: string, path: string) => void
  /** A file of settings for the operator or the boot server, under exactly its ServiceAccount. */
  settings(account: string, more?: SettingsOptions): Promise<string>
  close(): Promise<void>
}

/** Asks until it is so. The bound is generous: it is there for what never comes, not for what is slow. */
export async function until<T>(words: string, look: () => Promise<T | undefined | false>, within = 300_000): Promise<T> {
  const end = performance.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`"${words}" is not so after ${within / 1000} seconds`)
    await setTimeout(100)
  }
}

export interface SettingsOptions {
  readonly apiPort?: number
  readonly name?: string
  /** What else stands in the file. */
  readonly more?: object
}

export interface LaneOptions {
  readonly servers: number
  readonly speed: number
  /** Left out where the rack's BMCs are told to somebody else first. */
  readonly enrols?: false
  /** Controllers of Kubernetes itself that the story needs besides. */
  readonly controllers?: readonly string[]
}

export async function openLane(bin: string, options: LaneOptions): Promise<Lane> {
  const cluster = await startCluster(bin, { controllers: options.controllers ?? [] })
  const transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
  const kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
  const values = { ...usual, bootServer: { ...usual.bootServer, url: 'http://boot.example.com:8080' } }
  const wanted = pieces.filter(({ part }) => part === undefined || parts[part].unless)
  for (const object of [namespaceOf(values), ...wanted.flatMap(piece => piece.objects(values))]) await apply(kube, object)
  // A kind is served a moment after its definition was taken.
  for (const kind of [servers, claims, configurations] as ResourceRef[])
    await until(`${kind.plural} are served`, () =>
      kube.list(kind).then(
        () => true,
        () => false,
      ),
    )

  const boot = await freePort()
  const url = `http://127.0.0.1:${boot}`
  const network = httpWorld({ pxe: `${url}/ipxe`, http: `${url}/httpboot.efi`, addressOf })
  const disc = 'https://discs.sim/live.iso'
  const world = withDiscs(network, { [disc]: new TextEncoder().encode('live') })
  const events: RackEvent[] = []
  const lane = { onCall: () => {} } as Pick<Lane, 'onCall'>
  const rack = openRack({
    clock: wallClock,
    ids: randomIds,
    world,
    username: 'admin',
    password: randomIds.nonce(12),
    servers: Array.from({ length: options.servers }, (_, n) => ({
      name: `server-${n + 1}`,
      personality: hastened('generic', options.speed),
    })),
  })
  rack.onEvent(event => void events.push(event))
  const heard: Rack = {
    ...rack,
    handle(server, request) {
      lane.onCall(server, request.method, request.url)
      return rack.handle(server, request)
    },
  }
  const adminToken = randomIds.nonce(24)
  const listening = await listen(heard, { clock: wallClock, log: silent, port: 0, adminToken })
  const demo: DemoRack = { rack, listening, adminToken, close: () => listening.close() }
  if (options.enrols !== false) await enrolRack(kube, demo, system)
  const layout = join(cluster.folder, 'images')
  writeLayout(layout, [...demoImages, simImage('installer', '1', { uki: installerProgram('os-1') })])

  return Object.assign(lane, {
    cluster,
    kube,
    rack,
    disc,
    demo,
    layouts: { [simRegistry]: layout },
    events,
    boot: { port: boot, url },
    async settings(account: string, more: SettingsOptions = {}) {
      const name = more.name ?? account
      const kubeconfig = join(cluster.folder, `${name}.kubeconfig`)
      writeFileSync(kubeconfig, await accountKubeconfig(kube, cluster, account, more.apiPort))
      const file = join(cluster.folder, `${name}.yaml`)
      const common = {
        kubeconfig,
        bootUrl: url,
        cache: join(cluster.folder, `${name}-cache`),
        layouts: { [simRegistry]: layout },
        healthPort: 0,
      }
      writeFileSync(file, stringify({ ...common, port: boot, probeImage: discoveryImage, ...more.more }))
      return file
    },
    async close() {
      await listening.close()
      await world.close()
      await transport.close()
      await cluster.stop()
    },
  })
}

const addressOf = (server: string): string => `127.84.7.${Number(/(\d+)$/.exec(server)?.[1] ?? 0) + 1}`

/** Creates it, whatever its kind: paths come from the object itself. */
export async function apply(kube: Kube, object: KubeObject): Promise<void> {
  const [group = '', version = ''] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion]
  const kind = object.kind.toLowerCase()
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
  await kube.create({ group, version, plural, namespaced: object.metadata.namespace !== undefined }, object)
}

/** The kubeconfig of a ServiceAccount: a token that ends with the hour, and nothing else. */
async function accountKubeconfig(kube: Kube, cluster: Cluster, account: string, apiPort?: number): Promise<string> {
  const accounts: ResourceRef = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
  const { status } = await kube.call<{ status: { token: string } }>(accounts, { name: account, namespace: system }, 'token', body)
  const config = parse(readFileSync(cluster.kubeconfig, 'utf8'))
  if (apiPort !== undefined) config.clusters[0].cluster.server = `https://127.0.0.1:${apiPort}`
  config.users[0].user = { token: status.token }
  return stringify(config)
}

export const provisioned = async ({ kube }: Lane, name: string): Promise<boolean> =>
  (await kube.find(configurations, { name, namespace: 'default' }))?.metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true'

export const stateOf = async ({ kube }: Lane, name: string): Promise<string | undefined> =>
  (await kube.find(servers, { name }))?.status?.state

/** A claim with user data, for one server. */
export async function claimServer({ kube }: Lane, name: string, server: string): Promise<void> {
  const stringData = { ignition: '{"ignition":{"version":"3.4.0"}}' }
  await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, stringData })
  const spec = {
    power: 'On',
    serverRef: { name: server },
    image: `${simRegistry}/installer:1`,
    ignitionSecretRef: { name },
    bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  }
  const metadata = { name, namespace: 'default' }
  await kube.create(claims, { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'ServerClaim', metadata, spec } as NewObject<ServerClaim>)
}
