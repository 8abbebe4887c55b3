import { type Millis, minutes } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, ControllerKube, Ids, Log, Reconciler } from '../ports/index.ts'
import { aftermath } from './aftermath.ts'
import { commitFault } from './commit.ts'
import type { HistoryLine } from './controllers.ts'
import { openDeadlines } from './deadline.ts'
import { openEchoes } from './echoes.ts'
import { finalizerPerformers } from './finalizer.ts'
import type { Informer } from './informer.ts'
import { resourceText } from './keys.ts'
import type { Leader } from './leader.ts'
import { type Marks, openMarks } from './marks.ts'
import { breather, forgetWork, type Memory, newMemory } from './memory.ts'
import type { Metrics } from './metrics.ts'
import { openPump } from './pump.ts'
import { openQueue, type Queue } from './queue.ts'
import { reconcile } from './reconcile.ts'
import type { Recorder } from './recorder.ts'
import type { Ground, Result } from './result.ts'
import { reconciled } from './status.ts'
import { wokenKeys } from './wakes.ts'

export interface ControllerPorts {
  readonly kube: ControllerKube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly leader: Leader
  readonly metrics: Metrics
  readonly recorder: Recorder
  /** By resource: of the reconciler's kind and of everything it watches. */
  readonly informers: ReadonlyMap<string, Informer>
  /** Filled here: what was written and does not show yet. */
  readonly marks: Map<string, Marks>
  readonly workers: number
  readonly deadline: Millis
}

/** One reconciler at work: its queue, what it remembers, and what it waits for. */
export interface Controller {
  readonly reconciler: Reconciler
  readonly queue: Queue
  /** Writes of its own that the caches do not show yet. */
  readonly unseen: number
  overstayed(): ReadonlyMap<string, number>
  history(key: string): readonly HistoryLine[]
  start(): void
  /** No new work. Resolves when the running has ended. */
  drain(): Promise<void>
  /** Tells everything that runs to stop. */
  abort(reason: Error): void
}

export function openController(ports: ControllerPorts, reconciler: Reconciler): Controller {
  const { clock, log, leader, informers, marks } = ports
  const { name, kind, finalizer, watches } = reconciler
  const own = informers.get(resourceText(kind))!
  const watched = new Set(watches.map(watch => resourceText(watch.of)))
  const memories = new Map<string, Memory>()
  const deadlines = openDeadlines(clock, ports.deadline)
  const pump = openPump(clock, startOne, () => queue.running + queue.depth.change + queue.depth.look === 0)
  const queue: Queue = openQueue(clock, pump.wake)
  const echoes = openEchoes(key => add(key))
  const finalizing = finalizer === undefined ? new Map() : finalizerPerformers(ports.kube, kind, finalizer)
  const ground: Ground = {
    ...ports,
    reconciler,
    echoes,
    finalizing,
    deadlines,
    mayAct: () => leader.check(),
    status: { hasGeneration: reconciler.beside === undefined, told: reconciler.beside ?? reconciled },
  }
  /** Everything known was put in line once since this process leads. */
  let begun = false
  let stopping = false
  let drained = (): void => {}

  for (const [resource, informer] of informers) {
    const cleared = (key: string): void => {
      if (informer === own) queue.unpark(key)
      pump.wake()
    }
    marks.set(resource, openMarks(clock, informer, cleared))
    const concerned = watches.filter(watch => resourceText(watch.of) === resource)
    informer.listen({
      changed(change) {
        if (informer === own && !echoes.swallows(change.key, change.type, change.object)) add(change.key)
        for (const watch of concerned) for (const key of wokenKeys(watch, own.cache, log, change)) add(key)
      },
      reached: begin,
    })
  }
  const ownMarks = marks.get(resourceText(kind))!
  leader.onTurn(leads => {
    begun = false
    if (leads) begin()
    else yieldAll(new Fault('runtime/not-leader', 'Cannot go on: this process does not lead any longer'))
  })

  function add(key: string): void {
    if (begun && !stopping) queue.add(key, 'change')
  }

  /** When the caches are whole and this process leads, everything is looked at once. */
  function begin(): void {
    if (begun || stopping || !leader.holds || ![...informers.values()].every(informer => informer.ready)) return
    begun = true
    for (const [key, memory] of memories) {
      if (own.cache.get(key)) forgetWork(memory)
      else memories.delete(key)
    }
    for (const key of own.cache.keys()) queue.add(key, 'look')
    pump.wake()
  }

  /** Another process takes over: what was planned here is void. */
  function yieldAll(reason: Error): void {
    queue.clear()
    deadlines.stop(reason)
  }

  function startOne(): boolean {
    if (!begun || stopping || queue.running >= ports.workers || !leader.holds) return false
    // What it wrote to a kind that it reads does not show yet: every decision would rest on the past.
    for (const resource of watched) if (marks.get(resource)!.size > 0) return false
    const key = queue.next()
    if (key === undefined) return false
    if (ownMarks.has(key)) queue.park(key)
    else if (!rests(key)) void look(key)
    return true
  }

  /** Sets a key aside that is looked at over and over. */
  function rests(key: string): boolean {
    const memory = memories.get(key)
    const rest = memory && breather(memory, clock.elapsed())
    if (rest === undefined) return false
    queue.park(key, rest)
    const why = 'It is looked at over and over: the controller makes changes to which it has to respond'
    log.error(why, { controller: name, object: key, restMs: rest })
    return true
  }

  async function look(key: string): Promise<void> {
    const object = own.cache.get(key)
    try {
      if (object) await lookAt(key, object, memoryOf(key, object))
      else {
        memories.delete(key)
        echoes.forget(key)
      }
    } catch (error) {
      // A plan that is none, or a mistake of ours: no key may be lost to it.
      const because = error instanceof Error ? (error.stack ?? error.message) : String(error)
      log.error('A look could not be concluded', { controller: name, object: key, because })
      schedule(key, minutes(1))
    }
    finish(key)
  }

  function finish(key: string): void {
    queue.done(key)
    pump.wake()
    if (stopping && queue.running === 0) drained()
  }

  function memoryOf(key: string, { metadata: { uid } }: KubeObject): Memory {
    const known = memories.get(key)
    if (known?.uid === uid && known) return known
    const made = newMemory(uid, clock.elapsed())
    memories.set(key, made)
    return made
  }

  async function lookAt(key: string, object: KubeObject, memory: Memory): Promise<void> {
    const started = clock.elapsed()
    const result = await reconcile(ground, object, memory)
    const again = await conclude(key, object, memory, result, clock.elapsed() - started)
    // A second run beside one that does not end would be two at once.
    if (result.is === 'failed') await result.ended
    if (again !== undefined) schedule(key, again)
  }

  async function conclude(key: string, object: KubeObject, memory: Memory, result: Result, took: Millis): Promise<Millis | undefined> {
    // Whoever does not lead any longer has nothing to say: the next leader looks for itself.
    if (!leader.holds || (result.is === 'failed' && (stopping || result.fault.code === 'runtime/not-leader'))) return undefined
    const again = aftermath({ ...ports, controller: name }, key, object, memory, result, took)
    if (result.is === 'overtaken' && result.need) ownMarks.require(key, result.need)
    if (result.is === 'failed' && !(await commitFault(ground, result)))
      log.warn('The fault is not in the status', { controller: name, object: key, code: result.fault.code })
    return again
  }

  function schedule(key: string, again: Millis): void {
    if (stopping || !begun) return
    if (again > 0) queue.later(key, again)
    else queue.add(key, 'look')
  }

  return {
    reconciler,
    queue,
    get unseen() {
      return [...marks.values()].reduce((sum, { size }) => sum + size, 0)
    },
    overstayed() {
      const phases = new Map<string, number>()
      for (const { overstayed } of memories.values())
        if (overstayed !== undefined) phases.set(overstayed, (phases.get(overstayed) ?? 0) + 1)
      return phases
    },
    history: key => memories.get(key)?.lines ?? [],
    start: begin,
    async drain() {
      stopping = true
      queue.clear()
      pump.stop()
      for (const mark of marks.values()) mark.stop()
      if (queue.running === 0) return
      await new Promise<void>(resolve => {
        drained = resolve
      })
    },
    abort: deadlines.stop,
  }
}
