import { createHash } from 'node:crypto'
import { ApiError } from '../api/status.ts'
import { type Instant, minutes } from '../core/duration.ts'
import { printInstant } from '../core/instant.ts'
import type { KubeObject } from '../core/object.ts'
import type { Happening } from '../core/plan.ts'
import type { Clock, Kube, Log, ResourceRef } from '../ports/index.ts'

const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }

/** Writes Events. What is said again is counted, and written at most once per window. */
export interface Recorder {
  /** Events that are being written or wait for it. */
  readonly writing: number
  /** Events that could not be written. */
  readonly lost: number
  record(controller: string, about: KubeObject, what: Happening): void
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>
}

interface Told {
  readonly name: string
  readonly namespace: string
  count: number
  written: Instant
}

/** Told again within this time, an Event is counted in memory only. */
const window = minutes(5)
const remembered = 4_096
const atOnce = 8
const waiting = 10_000

export function openRecorder(ports: {
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
  readonly identity: string
  readonly mayAct: () => void
}): Recorder {
  const { kube, clock, log, identity } = ports
  const told = new Map<string, Told>()
  const line: (() => Promise<void>)[] = []
  const waiters: (() => void)[] = []
  let running = 0
  let lost = 0

  /** A lost Event is a lost line of a story, never a reason to stop: it is counted and logged. */
  function write(work: () => Promise<void>): void {
    if (line.length >= waiting) {
      lost++
      return
    }
    line.push(work)
    if (running < atOnce) void drain()
  }

  async function drain(): Promise<void> {
    running++
    for (let work = line.shift(); work; work = line.shift()) {
      try {
        ports.mayAct()
        await work()
      } catch (error) {
        lost++
        log.warn('An Event is lost', { because: error instanceof Error ? error.message : String(error) })
      }
    }
    running--
    if (running === 0) for (const resolve of waiters.splice(0)) resolve()
  }

  async function create(entry: Told, controller: string, about: KubeObject, what: Happening, now: Instant): Promise<void> {
    const { apiVersion, kind } = about
    const { name, namespace, uid, resourceVersion } = about.metadata
    const at = printInstant(now)
    try {
      await kube.create(events, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: entry.name, namespace: entry.namespace },
        involvedObject: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion },
        ...what,
        count: entry.count,
        firstTimestamp: at,
        lastTimestamp: at,
        source: { component: controller },
        reportingComponent: controller,
        reportingInstance: identity,
      })
    } catch (error) {
      // Its name follows from what it says, so an earlier life of this process told it already.
      if (!ApiError.is(error, 'AlreadyExists')) throw error
      const standing = await kube.find(events, entry)
      entry.count += typeof standing?.['count'] === 'number' ? standing['count'] : 0
      await patch(entry, now)
    }
  }

  async function patch(entry: Told, now: Instant): Promise<void> {
    await kube.patch(events, entry, { merge: { count: entry.count, lastTimestamp: printInstant(now) } })
  }

  return {
    get writing() {
      return running + line.length
    },
    get lost() {
      return lost
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise(resolve => waiters.push(resolve))),
    record(controller, about, what) {
      const { uid, name, namespace = 'default' } = about.metadata
      const said = JSON.stringify([controller, uid, what.type, what.reason, what.message])
      const now = clock.now()
      const entry = told.get(said)
      if (!entry) {
        const made: Told = { name: eventName(name, said), namespace, count: 1, written: now }
        told.set(said, made)
        if (told.size > remembered) told.delete(told.keys().next().value!)
        return write(() => create(made, controller, about, what, now))
      }
      entry.count++
      // A clock that went back must not silence an Event for as long as it went.
      if (Math.abs(now - entry.written) < window) return
      entry.written = now
      write(() => patch(entry, now))
    },
  }
}

const eventName = (object: string, said: string): string =>
  `${object.slice(0, 230)}.${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
