import { bmcs, claims, configurations, maintenances, servers } from '../../src/controllers/metal/resources.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import type { MetalRack } from './rack.ts'

/** What a secret of a story holds: wherever it is seen but in its Secret, something leaks. */
export const canary = (of: string): string => `canary-${of}-5c1f0e`

export const canaryUserData = (of: string): string =>
  JSON.stringify({ ignition: { version: '3.4.0' }, passwd: { users: [{ name: 'core', passwordHash: canary(of) }] } })

const events: ResourceRef = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }

/** Everything that this program said in a story, to whomever: what it logged, wrote, counted and answered for itself. */
export async function said(world: Omit<MetalRack, 'stop'>): Promise<string> {
  const { items } = await world.kube.list(events)
  const kept = await Promise.all([bmcs, servers, claims, configurations, maintenances].map(of => world.kube.list(of as ResourceRef)))
  return JSON.stringify([
    world.logged,
    world.asked.filter(({ method }) => method !== 'GET'),
    items,
    kept.map(list => list.items),
    await world.running.metrics(),
    world.boot.metrics(),
  ])
}

export const leaksIn = (text: string): readonly string[] => [...new Set(text.match(/canary-\w+/g) ?? [])]
