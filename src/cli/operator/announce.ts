import { ApiError } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import type { Clock, Ids, Kube, ResourceRef } from '../../ports/index.ts'
import type { Stance } from './courtesy.ts'
import type { Role } from './roles.ts'

const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }

export interface AnnouncePorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly identity: string
  readonly namespace: string
  readonly lease: string
}

/** One Event in our own namespace, about our own lease: the objects of others are not written to, not even with a condition. */
export async function announce(ports: AnnouncePorts, role: Role, { is, because }: Stance): Promise<void> {
  const { kube, clock, ids, identity, namespace, lease } = ports
  const at = printInstant(clock.now())
  try {
    await kube.create(events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${lease}.${ids.suffix(10)}`, namespace },
      involvedObject: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name: lease },
      type: is === 'act' ? 'Normal' : 'Warning',
      reason: is === 'act' ? 'LooksAfter' : 'ObserveOnly',
      message: `${role.name}: ${because}`,
      source: { component: 'rackwright', host: identity },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    })
  } catch (error) {
    if (!ApiError.is(error, 'AlreadyExists')) throw error
  }
}
