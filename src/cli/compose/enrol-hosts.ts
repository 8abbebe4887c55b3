import { type BareMetalHost, type DataImage, dataImages, hosts } from '../../controllers/metal3/resources.ts'
import type { Kube, NewObject } from '../../ports/index.ts'
import { secrets } from './bmc-access.ts'
import { simulated } from './enrol.ts'
import { type DemoRack, isHost } from './rack.ts'

const namespace = 'default'

/** A disc that the rack's machines find on their network: a system that runs from memory. */
export const rescueDisc = 'https://discs.sim/rescue.iso'

/** Its configuration, on a disc that it finds at its next restart. One of this computer's own addresses: nobody looks for it outside. */
const configDisc = 'https://127.85.0.250/config.iso'

/** Tells the API of the machines that are hosts: the first runs from a disc and has another one waiting, the others wait for somebody to use them. */
export async function enrolHosts(kube: Kube, { rack, listening }: DemoRack): Promise<void> {
  for (const [n, name] of rack.servers.filter(isHost).entries()) {
    const key = { name, namespace }
    const address = `redfish-virtualmedia+https://${new URL(listening.url(name)).host}`
    const found = await kube.find(hosts, key)
    const stringData = { username: rack.username, password: rack.password(name) }
    const credentials = { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-bmc`, namespace, labels: simulated }, stringData }
    if (await kube.find(secrets, credentials.metadata)) await kube.patch(secrets, credentials.metadata, { merge: { stringData } })
    else await kube.create(secrets, credentials)
    if (!found) {
      await kube.create(hosts, hostOf(name, address, n === 0))
      if (n === 0 && !(await kube.find(dataImages, key))) await kube.create(dataImages, discOf(name))
    }
    if (found && found.spec?.bmc?.address !== address) {
      // The same machines answer elsewhere after each start, which nobody but this rack can know.
      await kube.patch(hosts, key, { merge: { status: { bmcAddress: null } } }, { subresource: 'status' })
      await kube.patch(hosts, key, { merge: { spec: { bmc: { address } } } })
    }
  }
}

const discOf = (name: string): NewObject<DataImage> => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'DataImage',
  metadata: { name, namespace, labels: simulated },
  spec: { url: configDisc },
})

function hostOf(name: string, address: string, installed: boolean): NewObject<BareMetalHost> {
  return {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: { name, namespace, labels: simulated },
    spec: {
      online: installed,
      bmc: { address, credentialsName: `${name}-bmc`, disableCertificateVerification: true },
      inspectionMode: 'fast',
      automatedCleaningMode: 'disabled',
      ...(installed ? { image: { url: rescueDisc, format: 'live-iso' } } : {}),
    },
  }
}
