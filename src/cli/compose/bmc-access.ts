import { type BMC, endpoints } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import type { KubeObject } from '../../core/object.ts'
import type { BmcAccess, Kube, ResourceRef } from '../../ports/index.ts'
import { secretValue } from './secret-value.ts'

export const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const bmcSecrets: ResourceRef = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'bmcsecrets', namespaced: false }
const bmcs: ResourceRef<BMC> = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'bmcs', namespaced: false }
/** Which certificate was seen first, where `trust: OnFirstUse` was asked for: written once, and kept to. */
export const firstSeen = 'metal.ironcore.dev/first-seen-certificate'

export interface AccessPorts {
  readonly kube: Pick<Kube, 'find' | 'patch'>
  /** The BMC as the caches have it. */
  read(name: string): BMC | undefined
  /** Where Secrets of cluster-scoped kinds are: the manager's own. */
  readonly namespace: string
}

/** How a BMC object says that its controller is reached, trusted and logged in to. */
export const bmcAccess =
  ({ kube, read, namespace }: AccessPorts) =>
  async (name: string): Promise<BmcAccess> => {
    const bmc = read(name) ?? (await kube.find(bmcs, { name }))
    const ip = bmc?.spec.access?.ip ?? (bmc?.spec.endpointRef && (await kube.find(endpoints, { name: bmc.spec.endpointRef.name }))?.spec.ip)
    if (!bmc || ip === undefined)
      throw new Fault('bmc/no-address', `Cannot speak to BMC ${name}: ${bmc ? 'it has no address yet' : 'there is no such object'}`)
    const { scheme, port } = bmc.spec.protocol
    return {
      address: `${scheme}://${ip.includes(':') ? `[${ip}]` : ip}:${port}`,
      tls: await trustOf(bmc, kube, namespace),
      credentials: () => credentialsOf(bmc, kube, namespace),
    }
  }

async function trustOf({ metadata, spec }: BMC, kube: AccessPorts['kube'], namespace: string): Promise<BmcAccess['tls']> {
  const { name } = metadata
  const tls = spec.tls
  if (tls?.fingerprint !== undefined) return { fingerprint: tls.fingerprint }
  if (tls?.caSecretRef) {
    const secret = await kube.find(secrets, { namespace, name: tls.caSecretRef.name })
    const ca = secret && secretValue(secret, 'ca.crt')
    if (ca === undefined) throw missing(name, `Secret ${namespace}/${tls.caSecretRef.name}`, 'ca.crt', secret)
    return { ca }
  }
  if (tls?.trust === undefined) return { trust: 'System' }
  const seen = metadata.annotations?.[firstSeen]
  if (seen !== undefined) return { fingerprint: seen }
  return {
    trust: 'OnFirstUse',
    async seen(fingerprint) {
      const { resourceVersion } = metadata
      await kube.patch(bmcs, { name }, { merge: { metadata: { resourceVersion, annotations: { [firstSeen]: fingerprint } } } })
      return true
    },
  }
}

async function credentialsOf({ metadata, spec }: BMC, kube: AccessPorts['kube'], namespace: string) {
  const { name, kind } = spec.bmcSecretRef
  const secret = await (kind === 'Secret' ? kube.find(secrets, { namespace, name }) : kube.find(bmcSecrets, { name }))
  const where = kind === 'Secret' ? `Secret ${namespace}/${name}` : `BMCSecret ${name}`
  const username = secret && secretValue(secret, 'username')
  const password = secret && secretValue(secret, 'password')
  if (username === undefined || password === undefined) throw missing(metadata.name, where, 'username and password', secret)
  return { username, password }
}

const missing = (bmc: string, where: string, what: string, secret: KubeObject | undefined): Fault =>
  new Fault('bmc/no-credentials', `Cannot speak to BMC ${bmc}: ${where} ${secret ? `has no ${what}` : 'is not there'}`, 'backoff', {
    hint: `create it with ${what}`,
  })
