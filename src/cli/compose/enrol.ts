import { bmcs } from '../../controllers/metal/resources.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Kube, ResourceRef } from '../../ports/index.ts'
import { secrets } from './bmc-access.ts'
import { type DemoRack, isHost } from './rack.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const authority = 'simulated-rack-ca'
const credentials = 'simulated-rack'

/** Marks what stands for simulated hardware, so that nobody takes it for real. */
export const simulated = { 'rackwright.dev/simulated': 'true' }

/** Tells the API where the BMCs of the simulated rack are: what a person does with `rackwright bmc add` for real ones. */
export async function enrolRack(kube: Kube, { rack, listening }: DemoRack, namespace: string): Promise<void> {
  const secret = (name: string, stringData: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: simulated },
    stringData,
  })
  await put(kube, secrets, secret(authority, { 'ca.crt': listening.authority }))
  const [first = ''] = rack.servers
  await put(kube, secrets, secret(credentials, { username: rack.username, password: rack.password(first) }))
  await Promise.all(
    rack.servers.filter(name => !isHost(name)).map(name => put(kube, bmcs as ResourceRef, bmcOf(name, new URL(listening.url(name))))),
  )
}

function bmcOf(name: string, { hostname, port }: URL): KubeObject {
  const spec = {
    access: { ip: hostname },
    bmcSecretRef: { kind: 'Secret', name: credentials },
    protocol: { name: 'Redfish', scheme: 'https', port: Number(port) },
    tls: { caSecretRef: { name: authority } },
  }
  return { apiVersion: metal, kind: 'BMC', metadata: { name, labels: simulated }, spec }
}

/** Creates it, or brings what is there to what it shall be. */
async function put(kube: Kube, of: ResourceRef, object: KubeObject): Promise<void> {
  const { name, namespace } = object.metadata
  const key = { name, ...(namespace === undefined ? {} : { namespace }) }
  if ((await kube.find(of, key)) === undefined) await kube.create(of, object)
  else await kube.patch(of, key, { merge: object })
}
