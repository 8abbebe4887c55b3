import { createHash } from 'node:crypto'
import { ApiError } from '../api/status.ts'
import { type Millis, minutes } from '../core/duration.ts'
import { printInstant } from '../core/instant.ts'
import type { JsonObject } from '../core/json.ts'
import type { Clock, Log, ObjectKey, Reader, Writer } from '../ports/index.ts'
import { events, type Server } from './kinds.ts'
import type { Tally } from './tally.ts'

/** Tells of requests that were refused: one Event per server and ten minutes, however many there were. */
export interface Refusals {
  /** `server` where the request came from one that is known. Nothing of the request itself is told: it may hold a ticket. */
  tell(server: Server | undefined, because: string): void
  /** Counts one more during an attempt; answers how many that makes. */
  during(attempt: string): number
  readonly writing: number
}

interface Told {
  readonly name: string
  count: number
  written: number
  at: Millis
}

const window: Millis = minutes(10)
const remembered = 20_000

export function openRefusals(ports: {
  readonly kube: Reader & Writer
  readonly clock: Clock
  readonly log: Log
  readonly tally: Tally
}): Refusals {
  const { kube, clock, log, tally } = ports
  const told = new Map<string, Told>()
  const counts = new Map<string, number>()
  let writing = 0

  async function write(server: Server, entry: Told, because: string): Promise<void> {
    const { name, uid, resourceVersion } = server.metadata
    const at = printInstant(clock.now())
    const before = entry.written
    entry.written = entry.count
    const key = { name: entry.name, namespace: 'default' }
    if (before > 0) {
      if (await goesOn(key, { count: entry.count, lastTimestamp: at })) return
      // Events live for an hour or so: what was told before is forgotten, and counted from now on.
      entry.count -= before
      entry.written -= before
    }
    try {
      await kube.create(events, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: key,
        involvedObject: { apiVersion: server.apiVersion, kind: server.kind, name, uid, resourceVersion },
        type: 'Warning',
        reason: 'BootRefused',
        message: `Refused to serve a boot to this server: ${because}`,
        count: entry.written,
        firstTimestamp: at,
        lastTimestamp: at,
        source: { component: 'boot-server' },
        reportingComponent: 'boot-server',
        reportingInstance: 'boot-server',
      })
    } catch (error) {
      if (!ApiError.is(error, 'AlreadyExists')) throw error
      // An earlier life of this process told it, or another replica does.
      const standing = await kube.find(events, key)
      const counted = typeof standing?.['count'] === 'number' ? standing['count'] : 0
      await kube.patch(events, key, { merge: { count: counted + 1, lastTimestamp: at } })
    }
  }

  /** False where there is no such Event any more, or never was: what failed to be told then is told now. */
  async function goesOn(key: ObjectKey, merge: JsonObject): Promise<boolean> {
    try {
      await kube.patch(events, key, { merge })
      return true
    } catch (error) {
      if (ApiError.is(error, 'NotFound')) return false
      throw error
    }
  }

  return {
    tell(server, because) {
      tally.count('refused', server ? 'known' : 'unknown')
      if (!server) return
      const uid = server.metadata.uid ?? ''
      const key = `${uid} ${because}`
      const known = told.get(uid)
      const entry = known ?? { name: eventName(server.metadata.name, key), count: 0, written: 0, at: 0 }
      entry.count += 1
      if (known && clock.elapsed() - known.at < window) return
      entry.at = clock.elapsed()
      told.set(uid, entry)
      if (told.size > remembered) told.delete(told.keys().next().value!)
      writing += 1
      void write(server, entry, because)
        .catch((error: unknown) => log.warn('An Event is lost', { because: error instanceof Error ? error.message : String(error) }))
        .finally(() => (writing -= 1))
    },
    during(attempt) {
      const count = (counts.get(attempt) ?? 0) + 1
      counts.delete(attempt)
      counts.set(attempt, count)
      if (counts.size > remembered) counts.delete(counts.keys().next().value!)
      return count
    },
    get writing() {
      return writing
    },
  }
}

const eventName = (object: string, said: string): string =>
  `${object.slice(0, 230)}.${createHash('sha256').update(said).digest('hex').slice(0, 16)}`
