import { claims, configurations, servers } from '../../controllers/metal/resources.ts'
import { hosts } from '../../controllers/metal3/resources.ts'
import type { Millis } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, ResourceRef, Watcher } from '../../ports/index.ts'
import type { Fleet } from '../output/servers.ts'

/** Calls back with the whole fleet whenever something of it changed, at most every `pause`; ends with its signal. */
export async function followFleet(
  kube: Watcher,
  clock: Clock,
  pause: Millis,
  withHosts: boolean,
  show: (fleet: Fleet) => void,
  signal: AbortSignal,
): Promise<void> {
  let planned = false
  // An API that has no hosts is never whole about them: it is not waited for.
  const parts = [servers, claims, configurations, ...(withHosts ? [hosts] : [])].map(of => follow(kube, of as ResourceRef, signal, changed))
  function changed(): void {
    if (planned || !parts.every(({ complete }) => complete())) return
    planned = true
    clock.after(pause, () => {
      planned = false
      if (signal.aborted) return
      const [all, claimed, configured, known = []] = parts.map(({ objects }) => [...objects.values()])
      show({ servers: all, claims: claimed, configurations: configured, hosts: known } as unknown as Fleet)
    })
  }
  await Promise.all(parts.map(({ done }) => done))
}

function follow(kube: Watcher, of: ResourceRef, signal: AbortSignal, changed: () => void) {
  const objects = new Map<string, KubeObject>()
  let whole = false
  const run = async (): Promise<void> => {
    let told = new Set<string>()
    for await (const batch of kube.watch(of, {}, signal)) {
      for (const event of batch) {
        if (event.type === 'RELIST') told = new Set()
        else if (event.type === 'BOOKMARK' && event.complete) {
          for (const uid of objects.keys()) if (!told.has(uid)) objects.delete(uid)
          whole = true
        } else if (event.type === 'DELETED') objects.delete(event.object.metadata.uid ?? '')
        else if (event.type === 'ADDED' || event.type === 'MODIFIED') {
          const { uid = '' } = event.object.metadata
          told.add(uid)
          objects.set(uid, event.object)
        }
      }
      changed()
    }
  }
  const done = run().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return { objects, complete: () => whole, done }
}
