import { parseInstant } from '../../core/instant.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, ObjectKey, Reader, ResourceRef } from '../../ports/index.ts'

export const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }

/** Who holds a lease, as far as clocks that differ a little can tell: it counts for twice as long as it says. */
export function liveHolder(lease: KubeObject, now: number): string | undefined {
  const spec = isObject(lease['spec']) ? lease['spec'] : {}
  const { holderIdentity, renewTime, leaseDurationSeconds } = spec
  if (typeof holderIdentity !== 'string' || holderIdentity === '' || typeof renewTime !== 'string') return undefined
  const lasts = (typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 15) * 2_000
  const renewed = parseInstant(renewTime)
  return renewed !== undefined && now - renewed < lasts ? holderIdentity : undefined
}

export async function liveLease(kube: Reader, clock: Pick<Clock, 'now'>, key: ObjectKey): Promise<string | undefined> {
  const lease = await kube.find(leases, key)
  return lease && liveHolder(lease, clock.now())
}
