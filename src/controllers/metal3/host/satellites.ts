import type { KubeObject } from '../../../core/object.ts'
import type { ControllerKube, ObjectKey, ResourceRef } from '../../../ports/index.ts'
import { type BareMetalHost, hardwareData, hosts, images, satelliteFinalizers, secrets } from '../resources.ts'

/** Takes off the finalizers of baremetal-operator, which would keep what belongs to a host for ever once their host is gone. */
export async function freeSatellites(kube: ControllerKube, host: BareMetalHost, signal: AbortSignal): Promise<void> {
  const { name, namespace = '' } = host.metadata
  await free(kube, hardwareData, { name, namespace }, signal)
  await free(kube, images, { name, namespace }, signal)
  const credentials = host.spec?.bmc?.credentialsName
  const isShared = kube.cached
    .list(hosts, namespace)
    .some(({ metadata, spec }) => metadata.uid !== host.metadata.uid && spec?.bmc?.credentialsName === credentials)
  if (credentials && !isShared) await free(kube, secrets, { name: credentials, namespace }, signal)
}

async function free(kube: ControllerKube, of: ResourceRef, key: ObjectKey, signal: AbortSignal): Promise<void> {
  const found: KubeObject | undefined = await kube.fresh(of, key, signal)
  const finalizers = found?.metadata.finalizers ?? []
  const kept = finalizers.filter(finalizer => !(satelliteFinalizers as readonly string[]).includes(finalizer))
  if (!found || kept.length === finalizers.length) return
  const { resourceVersion, uid } = found.metadata
  await kube.patch(of, key, { merge: { metadata: { resourceVersion, uid, finalizers: kept } } }, { signal })
}
