import { kinds } from '../../api/kinds.ts'
import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import type { KubeObject } from '../../core/object.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type Kube, type ResourceRef, resourceOf } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import { agreed } from '../ask.ts'
import type { Options } from '../catalogue/command.ts'
import { pieces } from '../install/pieces.ts'
import { referenceOf } from '../install/reference.ts'
import { usual } from '../install/values.ts'
import { liveLease } from '../operator/live-lease.ts'
import { releaseFinalizers } from '../operator/release.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** Takes the program off a cluster. No server is touched: what runs goes on running, and every object can be deleted afterwards. */
export async function uninstall(options: Options): Promise<number> {
  const namespace = typeof options['namespace'] === 'string' ? options['namespace'] : usual.namespace
  const withCrds = options['crds'] === true
  const question = withCrds
    ? 'Take Rackwright off this cluster, and delete all servers, claims and BMCs from it? Nothing is powered off.'
    : 'Take Rackwright off this cluster? Servers and claims stay as they are; nothing is powered off.'
  if (!(await agreed(options, question))) return 1
  return withApi(options, async kube => {
    await removeInstalled(kube, namespace)
    await refuseWhileLed(kube, namespace)
    for (const kind of kinds) {
      const freed = await releaseFinalizers(kube, resourceOf(kind) as ResourceRef)
      if (freed > 0) console.log(`Released ${freed} ${kind.plural}.`)
    }
    if (withCrds) for (const { plural, group } of kinds) await gone(() => kube.delete(definitions, { name: `${plural}.${group}` }))
    console.log(
      withCrds ? 'Rackwright and its kinds are gone from this cluster.' : 'Rackwright is gone; its kinds and objects are still here.',
    )
    return 0
  })
}

/** Deployments first: nobody is left who would put a finalizer on again. */
async function removeInstalled(kube: Kube, namespace: string): Promise<void> {
  const values = { ...usual, namespace }
  const installed = pieces.filter(({ part }) => part !== 'crds.metal').flatMap(piece => piece.objects(values))
  const first = (object: KubeObject): number => (object.kind === 'Deployment' ? 0 : 1)
  for (const object of installed.toSorted((a, b) => first(a) - first(b))) {
    const { of, key } = referenceOf(object)
    if (await gone(() => kube.delete(of, key))) console.log(`Deleted ${object.kind} ${object.metadata.name}.`)
  }
}

async function refuseWhileLed(kube: Kube, namespace: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const holder = await liveLease(kube, wallClock, { namespace, name: 'rackwright-controllers' })
    if (holder === undefined) return
    if (tries === 30)
      throw new Fault('uninstall/led', `Cannot release what the controllers hold: ${holder} still leads`, 'when-changed', {
        hint: 'stop `rackwright operator` wherever it runs, then run this again',
      })
    await wallClock.sleep(2_000)
  }
}

/** True where it was there; what is not there, or of a kind that is not served, is no trouble. */
async function gone(take: () => Promise<void>): Promise<boolean> {
  try {
    await take()
    return true
  } catch (error) {
    if (ApiError.is(error, 'NotFound')) return false
    throw error
  }
}
