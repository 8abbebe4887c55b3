import { type Millis, minutes, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { ControllerKube, Reconciler, ResourceRef } from '../ports/index.ts'
import { type Controller, openController } from './controller.ts'
import { controllerKube } from './controller-kube.ts'
import type { Activity, Controllers, ControllersOptions } from './controllers.ts'
import { healthOf } from './health.ts'
import { type Informer, openInformer } from './informer.ts'
import { keyText, resourceText } from './keys.ts'
import { alwaysLeader } from './leader.ts'
import { leaseLeader } from './lease.ts'
import type { Marks } from './marks.ts'
import { openMetrics } from './metrics.ts'
import { openRecorder } from './recorder.ts'

/** Puts controllers together over one API server. Nothing runs before `start`. */
export function openControllers(options: ControllersOptions): Controllers {
  const { kube, clock, ids, log, identity } = options
  const leader = options.lease ? leaseLeader({ kube, clock, log, identity }, options.lease) : alwaysLeader()
  const mayAct = (): void => leader.check()
  const recorder = openRecorder({ kube, clock, log, identity, mayAct })
  const informers = new Map<string, Informer>()
  const controllers: Controller[] = []
  const metrics = openMetrics({
    depths: () =>
      controllers.map(({ reconciler, queue }) => ({
        controller: reconciler.name,
        ...queue.depth,
        running: queue.running,
        parked: queue.parked,
      })),
    overstayed: () =>
      controllers.flatMap(({ reconciler, overstayed }) =>
        [...overstayed()].map(([phase, objects]) => ({ controller: reconciler.name, phase, objects })),
      ),
    leads: () => leader.holds,
    lostEvents: () => recorder.lost,
  })
  const over = new AbortController()
  let watching: Promise<unknown> = Promise.resolve()
  let state: 'new' | 'running' | 'stopped' = 'new'

  function informerOf(of: ResourceRef): Informer {
    const name = resourceText(of)
    const known = informers.get(name)
    if (known) return known
    const indexes = (options.indexes ?? []).filter(index => resourceText(index.of) === name)
    const made = openInformer({ kube, clock, log }, of, indexes)
    informers.set(name, made)
    return made
  }

  function add(make: (kube: ControllerKube) => Reconciler): void {
    if (state !== 'new') throw new Error('Cannot add a controller: they are running already')
    const own = new Map<string, Informer>()
    const marks = new Map<string, Marks>()
    const watched = new Set<string>()
    const view = controllerKube({ kube, mayAct, informers: own, watched, marks })
    const reconciler = make(view)
    if (controllers.some(({ reconciler: { name } }) => name === reconciler.name))
      throw new Error(`Cannot add a controller: there is one called ${reconciler.name} already`)
    for (const { of } of reconciler.watches) watched.add(resourceText(of))
    for (const of of [reconciler.kind, ...reconciler.watches.map(watch => watch.of)]) own.set(resourceText(of), informerOf(of))
    const { workers = 256, deadline = minutes(2) } = options
    controllers.push(
      openController({ kube: view, clock, ids, log, leader, metrics, recorder, informers: own, marks, workers, deadline }, reconciler),
    )
  }

  async function stop(within: Millis = seconds(30)): Promise<void> {
    if (state === 'stopped') return
    state = 'stopped'
    const drained = Promise.all(controllers.map(controller => controller.drain())).then(() => recorder.idle())
    const ends = new AbortController()
    const patience = clock.sleep(within, ends.signal).then(async () => {
      for (const controller of controllers) controller.abort(new Fault('runtime/stopping', 'Cannot go on: the process stops'))
      await clock.sleep(seconds(5), ends.signal)
      log.warn('Some work did not stop when it was told to', { running: controllers.reduce((sum, { queue }) => sum + queue.running, 0) })
    })
    await Promise.race([drained, patience.catch(() => {})])
    ends.abort(new Error('everything has ended'))
    await leader.stop()
    over.abort(new Error('the controllers stop'))
    await watching
  }

  function activity(): Activity {
    const sum = (of: (controller: Controller) => number): number => controllers.reduce((total, controller) => total + of(controller), 0)
    return {
      queued: leader.holds ? sum(({ queue: { depth } }) => depth.change + depth.look) : 0,
      running: sum(({ queue }) => queue.running),
      parked: sum(({ queue }) => queue.parked),
      unseen: sum(({ unseen }) => unseen),
      timers: sum(({ queue }) => queue.timers),
      writing: recorder.writing + leader.writing,
      caches: [...informers.values()].map(({ of, complete, interrupted, revision, cache }) => ({
        of,
        complete,
        interrupted,
        revision,
        objects: cache.size,
      })),
    }
  }

  return {
    add: make => add(make as (kube: ControllerKube) => Reconciler),
    start() {
      if (state !== 'new') throw new Error('Cannot start the controllers: they were started before')
      state = 'running'
      watching = Promise.all([...informers.values()].map(informer => informer.run(over.signal)))
      leader.start()
    },
    stop,
    history: (of, key) =>
      controllers
        .filter(({ reconciler: { kind } }) => resourceText(kind) === resourceText(of))
        .flatMap(controller => controller.history(keyText(key)))
        .toSorted((a, b) => a.at - b.at),
    settled() {
      const { queued, running, unseen, writing, caches } = activity()
      const deaf = caches.some(({ interrupted }) => interrupted !== undefined)
      const shown = unseen === 0 && caches.every(({ complete }) => complete)
      return queued + running + writing === 0 && (shown || deaf)
    },
    activity,
    metrics: () => metrics.text(),
    health: () => healthOf(state, leader.holds, [...informers.values()]),
  }
}
