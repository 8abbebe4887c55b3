import { ApiError } from '../api/status.ts'
import { type Millis, seconds } from '../core/duration.ts'
import { sameJson } from '../core/json.ts'
import type { Clock, Log, ObjectKey, Reader, Writer } from '../ports/index.ts'
import type { Attempt } from './attempts.ts'
import { joined, none, patchOf } from './facts.ts'
import { type Configuration, configurations, type Facts } from './kinds.ts'
import { isOlder } from './revision.ts'

/** `durable`: it is on the configuration; `later`: the API is away, it is kept and will be written; `gone`: nobody wants it any more. */
export type Kept = 'durable' | 'later' | 'gone'

/** What was seen of boots: kept on the configuration, so that it outlives this process. */
export interface Evidence {
  of(attempt: Attempt): Facts
  /** Notes something. Waits for the API a few seconds at most: a machine that boots cannot wait for long. */
  note(attempt: Attempt, change: (facts: Facts) => Facts): Promise<Kept>
  /** Keeps something in mind that will be written along with what follows from it. */
  hold(attempt: Attempt, change: (facts: Facts) => Facts): void
  /** How many configurations have something that is not written yet. */
  readonly waiting: number
  stop(): void
}

export interface EvidencePorts {
  readonly kube: Reader & Writer
  readonly clock: Clock
  readonly log: Log
  /** The newest that was told; saves a read. */
  configuration(key: ObjectKey): Configuration | undefined
}

interface Entry {
  readonly key: ObjectKey
  readonly uid: string
  facts: Facts
  /** As our own last write left it; read again after a refusal. */
  base: Configuration | undefined
  dirty: boolean
  writing: boolean
  waiters: ((kept: Kept) => void)[]
}

const patience: Millis = seconds(5)
const longestPause: Millis = seconds(15)
/** Entries without anything to write are forgotten beyond this: the configuration has it all. */
const remembered = 1_000

export function openEvidence({ kube, clock, log, configuration }: EvidencePorts): Evidence {
  const entries = new Map<string, Entry>()
  const over = new AbortController()

  function entryOf(attempt: Attempt): Entry {
    const uid = attempt.configurationUID
    const stored = attempt.configuration.status?.served
    const known = entries.get(uid)
    const facts = joined(joined(stored ?? none(attempt.number), known?.facts ?? none(attempt.number)), none(attempt.number))
    if (known) {
      known.facts = facts
      return known
    }
    const entry: Entry = { key: attempt.key, uid, facts, base: undefined, dirty: false, writing: false, waiters: [] }
    entries.set(uid, entry)
    if (entries.size > remembered)
      for (const [old, { dirty, writing }] of entries) if (!dirty && !writing && old !== uid) entries.delete(old)
    return entry
  }

  async function write(entry: Entry): Promise<void> {
    entry.writing = true
    let pause: Millis = seconds(1)
    while (entry.dirty && !over.signal.aborted) {
      entry.dirty = false
      const waiters = entry.waiters.splice(0)
      const tell = (kept: Kept): void => {
        for (const waiter of waiters) waiter(kept)
      }
      try {
        tell(await once(entry))
        pause = seconds(1)
      } catch (error) {
        entry.waiters.unshift(...waiters)
        entry.dirty = true
        entry.base = undefined
        if (ApiError.is(error, 'Conflict')) continue
        const because = error instanceof Error ? error.message : String(error)
        log.warn('What was seen of a boot is not written yet', { configuration: entry.key, because })
        await clock.sleep(pause, over.signal).catch(() => {})
        pause = Math.min(pause * 2, longestPause)
      }
    }
    entry.writing = false
  }

  async function once(entry: Entry): Promise<Kept> {
    const { key, uid } = entry
    const before = entry.base ?? (await kube.find(configurations, key))
    if (before?.metadata.uid !== uid || !before) return forget(entry)
    const stored = before.status?.served
    const facts = stored ? joined(stored, entry.facts) : entry.facts
    if (facts.attempt > entry.facts.attempt) return forget(entry)
    entry.facts = facts
    if (stored && sameJson(stored, facts)) return 'durable'
    const merge = { metadata: { resourceVersion: before.metadata.resourceVersion }, status: { served: patchOf(facts) } }
    try {
      entry.base = await kube.patch(configurations, key, { merge }, { subresource: 'status' })
    } catch (error) {
      if (ApiError.is(error, 'NotFound')) return forget(entry)
      throw error
    }
    return 'durable'
  }

  function forget({ uid }: Entry): Kept {
    entries.delete(uid)
    return 'gone'
  }

  return {
    of: attempt => entryOf(attempt).facts,
    note(attempt, change) {
      const entry = entryOf(attempt)
      const facts = change(entry.facts)
      const stored = attempt.configuration.status?.served
      if (facts === entry.facts && !entry.dirty && !entry.writing && stored && sameJson(stored, facts)) return Promise.resolve('durable')
      entry.facts = facts
      entry.dirty = true
      const told = configuration(entry.key)
      if (told && isOlder(entry.base?.metadata.resourceVersion, told.metadata.resourceVersion)) entry.base = told
      return new Promise(resolve => {
        if (over.signal.aborted) return resolve('later')
        const late = clock.after(patience, () => resolve('later'))
        entry.waiters.push(kept => {
          late()
          resolve(kept)
        })
        if (!entry.writing) void write(entry)
      })
    },
    hold(attempt, change) {
      const entry = entryOf(attempt)
      entry.facts = change(entry.facts)
    },
    get waiting() {
      return [...entries.values()].filter(({ dirty, writing }) => dirty || writing).length
    },
    stop() {
      over.abort(new Error('the boot server stops'))
      for (const { waiters } of entries.values()) for (const waiter of waiters.splice(0)) waiter('later')
    },
  }
}
