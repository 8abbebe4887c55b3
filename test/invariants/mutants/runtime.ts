import { ApiError } from '../../../src/api/status.ts'
import { minutes } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { Kube, ObjectKey, Patch, ResourceRef } from '../../../src/ports/index.ts'
import { valveProgram } from '../../scenarios/valve/setting.ts'
import { onPorts, type ValveMutant } from './mutant.ts'

/** Mistakes that the runtime could make, seen from its ports. */
export const runtimeMutants: readonly ValveMutant[] = [
  onPorts('dropped fence', 'a status that was decided on an old state overwrites a newer one', ({ kube }) => ({
    kube: patching(kube, patch => ('merge' in patch ? { merge: unfenced(patch.merge) } : patch)),
  })),
  onPorts('ignored 409', 'what was refused is taken for written, and acted upon', ({ kube }) => ({
    kube: {
      ...kube,
      async patch(...[of, key, patch, options]: Parameters<Kube['patch']>) {
        try {
          return await kube.patch(of, key, patch, options)
        } catch (error) {
          if (!ApiError.is(error, 'Conflict')) throw error
          return kube.get(of, key)
        }
      },
    } as Kube,
  })),
  onPorts('ignored failure', 'a write that failed is taken for written, and acted upon', ({ kube }) => ({
    kube: {
      ...kube,
      async patch(...[of, key, patch, options]: Parameters<Kube['patch']>) {
        try {
          return await kube.patch(of, key, patch, options)
        } catch {
          return kube.get(of, key)
        }
      },
    } as Kube,
  })),
  onPorts('destructive without a fresh read', 'what changed since the look is not seen before the act', ({ kube }) => ({
    kube: remembering(kube),
  })),
  onPorts(
    'stale cache without a fence',
    'the cache is read before it shows what was written, and nothing refuses the outcome',
    ({ kube }) => ({
      kube: patching(hasty(kube), patch => ('merge' in patch ? { merge: unfenced(patch.merge) } : patch)),
    }),
  ),
  onPorts('lost back-off', 'a device that is down is asked as fast as it can refuse', ({ clock }) => ({
    clock: { ...clock, after: (ms, then) => clock.after(ms < minutes(1) ? Math.min(ms, 50) : ms, then) },
  })),
  onPorts(
    'spans measured with the date',
    'a clock that is set makes a hold short',
    ({ clock }) => ({ clock: { ...clock, elapsed: clock.now } }),
    {
      looks: ['fails', 'clock +1h'],
    },
  ),
  {
    name: 'acting without the lease',
    bad: 'two processes act on one device',
    contest: true,
    program: (ports, devices, { lease: _, ...options }) => valveProgram(ports, devices, options),
  },
  onPorts(
    'a lease that is never lost',
    'a process that stood still goes on as if nothing had happened',
    ({ clock, kube, identity }) => ({
      clock: { ...clock, elapsed: () => 0, now: () => 0 },
      kube: alwaysOurs(kube, identity),
    }),
    { contest: true },
  ),
  onPorts('deaf after the start', 'changes are only seen when time asks for a look', ({ kube }) => ({
    kube: {
      ...kube,
      async *watch(...[of, where, signal]: Parameters<Kube['watch']>) {
        for await (const batch of kube.watch(of, where, signal)) yield batch.filter(({ type }) => type !== 'MODIFIED')
      },
    } as Kube,
  })),
  {
    name: 'a timer that outlives its process',
    bad: 'what was stopped goes on',
    program(ports, devices, options) {
      const tick = (): void => void ports.clock.after(minutes(1), tick)
      tick()
      return valveProgram(ports, devices, options)
    },
  },
  {
    name: 'time past the port',
    bad: 'a run depends on the machine it runs on',
    program(ports, devices, options) {
      setTimeout(() => {}, 0)
      return valveProgram(ports, devices, options)
    },
  },
]

const unfenced = (merge: object): object => {
  const { metadata, ...rest } = merge as { readonly metadata?: Readonly<Record<string, unknown>> }
  const { resourceVersion: _, uid: __, ...kept } = metadata ?? {}
  return { ...rest, metadata: kept }
}

const patching = (kube: Kube, change: (patch: Patch) => Patch): Kube =>
  ({ ...kube, patch: (...[of, key, patch, options]: Parameters<Kube['patch']>) => kube.patch(of, key, change(patch), options) }) as Kube

/** Reads that should go past the cache are answered with what was written last, or asked and not believed. */
function remembering(kube: Kube): Kube {
  const known = new Map<string, KubeObject>()
  const nameOf = (of: ResourceRef, { name }: ObjectKey): string => `${of.plural} ${name}`
  return {
    ...kube,
    async find(...[of, key, options]: Parameters<Kube['find']>) {
      const found = await kube.find(of, key, options)
      return of.plural === 'valves' ? (known.get(nameOf(of, key)) ?? found) : found
    },
    async patch(...[of, key, patch, options]: Parameters<Kube['patch']>) {
      const written = await kube.patch(of, key, patch, options)
      known.set(nameOf(of, key), written)
      return written
    },
  } as Kube
}

/** The watch says after every write that it has told everything, whether or not it has: nobody waits for the cache to show it. */
function hasty(kube: Kube): Kube {
  const pokes = new Set<() => void>()
  return {
    ...kube,
    async *watch(...[of, where, signal]: Parameters<Kube['watch']>) {
      const source = kube.watch(of, where, signal)[Symbol.asyncIterator]()
      let reading = source.next()
      while (true) {
        let poke = (): void => {}
        const poked = new Promise<'poked'>(resolve => {
          poke = () => resolve('poked')
          pokes.add(poke)
        })
        const next = await Promise.race([reading, poked])
        pokes.delete(poke)
        if (next === 'poked') yield [{ type: 'BOOKMARK', revision: '999999999', complete: false }]
        else if (next.done) return
        else {
          reading = source.next()
          yield next.value
        }
      }
    },
    async patch(...[of, key, patch, options]: Parameters<Kube['patch']>) {
      const written = await kube.patch(of, key, patch, options)
      queueMicrotask(() => {
        for (const poke of [...pokes]) poke()
      })
      return written
    },
  } as Kube
}

const alwaysOurs = (kube: Kube, identity: string): Kube =>
  ({
    ...kube,
    async find(...[of, key, options]: Parameters<Kube['find']>) {
      const found = await kube.find(of, key, options)
      const spec = isObject(found?.['spec']) ? found['spec'] : {}
      return of.plural === 'leases' && found ? { ...found, spec: { ...spec, holderIdentity: identity } } : found
    },
  }) as Kube
