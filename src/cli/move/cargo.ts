import { bmc } from '../../api/metal/bmc.ts'
import { bmcSecret } from '../../api/metal/bmc-secret.ts'
import { endpoint } from '../../api/metal/endpoint.ts'
import { bmcs, claims, configurations, maintenances, servers } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { type ObjectKey, type Reader, type ResourceRef, resourceOf } from '../../ports/index.ts'
import { secrets } from '../compose/bmc-access.ts'

/**
 * Owners before what they own: a dependent without its owner would be collected on arrival. Claims before servers: what a server says of
 * its claim cannot be changed once it is there.
 */
export const order: readonly ResourceRef[] = [
  resourceOf(bmcSecret),
  resourceOf(endpoint),
  resourceOf(bmc),
  claims,
  maintenances,
  servers,
  configurations,
].map(of => of as ResourceRef)

export const keyOf = ({ metadata: { name, namespace } }: KubeObject): ObjectKey => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
})

export interface Cargo {
  readonly objects: readonly { readonly of: ResourceRef; readonly object: KubeObject }[]
  /** Secrets that they name: credentials, authorities, user data. */
  readonly secrets: readonly KubeObject[]
}

/** Everything that is moved, as it is now. */
export async function readCargo(kube: Reader, manager: string): Promise<Cargo> {
  const objects: { of: ResourceRef; object: KubeObject }[] = []
  for (const of of order) for (const object of (await kube.list(of)).items) objects.push({ of, object })
  const wanted = new Map<string, ObjectKey>()
  for (const { of, object } of objects) for (const key of secretsOf(of, object, manager)) wanted.set(`${key.namespace}/${key.name}`, key)
  const found = await Promise.all([...wanted.values()].map(key => kube.find(secrets, key)))
  return { objects, secrets: found.filter(secret => secret !== undefined) }
}

function secretsOf(of: ResourceRef, object: KubeObject, manager: string): readonly ObjectKey[] {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const named = (value: unknown): readonly string[] => (isObject(value) && typeof value['name'] === 'string' ? [value['name']] : [])
  if (of.plural === bmcs.plural) {
    const tls = isObject(spec['tls']) ? spec['tls'] : {}
    return [...named(spec['bmcSecretRef']), ...named(tls['caSecretRef'])].map(name => ({ name, namespace: manager }))
  }
  const template = isObject(spec['serverBootConfigurationTemplate']) ? spec['serverBootConfigurationTemplate']['spec'] : undefined
  const namespace = object.metadata.namespace ?? manager
  return [spec, template].filter(isObject).flatMap(part => named(part['ignitionSecretRef']).map(name => ({ name, namespace })))
}

/** A boot that is under way has tickets and a deadline that the new place does not know. */
export function refuseOpenBoots({ objects }: Cargo): void {
  const open = objects.filter(({ of, object }) => {
    const boot = of.plural === servers.plural && isObject(object['status']) ? object['status']['boot'] : undefined
    return isObject(boot) && boot['step'] !== 'Ended'
  })
  if (open.length === 0) return
  const names = open.map(({ object }) => object.metadata.name).join(', ')
  throw new Fault('move/booting', `Cannot move while servers boot: ${names}`, 'when-changed', {
    hint: 'wait until their boots are over; rackwright timeline <server> shows them',
  })
}
