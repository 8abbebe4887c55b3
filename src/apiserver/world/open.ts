import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import type { Log, Row, Store } from '../../ports/index.ts'
import { dropParse, rowKey, stampedChange } from './entry.ts'
import { History, rowType } from './history.ts'
import { type Attempt, type Decided, WriteLines } from './lines.ts'
import type { Change, Entry, World } from './world.ts'

export interface WorldOptions {
  readonly store: Store
  readonly log: Log
  /** Opens the same store anew after a commit of unknown outcome. Without it the world stays read-only from then on. */
  readonly reopen?: () => Promise<Store>
  /** How many revisions of history are kept for watches and paged lists; half as many again may pile up before it is cut. */
  readonly compactAfter?: number
}

export interface OpenWorld extends World {
  /** Why writes are refused at present, for health checks; undefined when all is well. */
  readonly trouble: string | undefined
}

export async function openWorld(options: WorldOptions): Promise<OpenWorld> {
  const history = new History(options.log)
  await history.fill(options.store)
  return new DurableWorld(options, history)
}

interface Written {
  readonly decided: Decided
  readonly change: Change
}

class DurableWorld implements OpenWorld {
  readonly #options: WorldOptions
  readonly #history: History
  readonly #lines: WriteLines
  readonly #observers = new Set<(changes: readonly Change[]) => void>()
  #store: Store
  #flight: Promise<void> | undefined
  #recovery: Promise<void> | undefined
  #compacting = false
  #closing = false
  #trouble: string | undefined

  constructor(options: WorldOptions, history: History) {
    this.#options = options
    this.#history = history
    this.#store = options.store
    this.#lines = new WriteLines(
      (resource, key) => history.get(resource, key),
      () => this.#refusal(),
    )
  }

  get revision(): number {
    return this.#history.revision
  }
  get compacted(): number {
    return this.#history.compacted
  }
  get trouble(): string | undefined {
    return this.#closing ? 'the server is shutting down' : this.#trouble
  }
  get(resource: string, key: string): Entry | undefined {
    return this.#history.get(resource, key)
  }
  list(resource: string, options?: { readonly namespace?: string; readonly at?: number }): readonly Entry[] {
    return this.#history.list(resource, options)
  }
  count(resource: string): number {
    return this.#history.count(resource)
  }
  subscribe(resource: string, from: number, listener: (changes: readonly Change[]) => void): () => void {
    return this.#history.subscribe(resource, from, listener)
  }
  observe(listener: (changes: readonly Change[]) => void): () => void {
    this.#observers.add(listener)
    return () => this.#observers.delete(listener)
  }

  write(resource: string, key: string, decide: Attempt['decide']): Promise<Entry> {
    return new Promise((resolve, reject) => {
      if (this.#lines.enter({ resource, key, decide, resolve, reject })) this.#takeOff()
    })
  }

  async close(): Promise<void> {
    this.#closing = true
    while (this.#flight) await this.#flight
    await this.#recovery
    await this.#store.close()
  }

  /** A microtask later, so that the writes of one turn share a commit. */
  #takeOff(): void {
    this.#flight ??= Promise.resolve().then(() => this.#fly())
  }

  /** Commits batch after batch until nothing is decided; what is decided during a commit goes with the next one. */
  async #fly(): Promise<void> {
    for (let batch = this.#lines.take(); batch.length > 0; batch = this.#lines.take()) {
      const written = this.#serialise(batch)
      if (written.length === 0) continue
      try {
        await this.#store.append(written.map(rowOf))
      } catch (error) {
        this.#failed(written, error)
        continue
      }
      this.#committed(written)
    }
    this.#flight = undefined
  }

  #serialise(batch: readonly Decided[]): readonly Written[] {
    const written: Written[] = []
    for (const decided of batch) {
      const { draft, resource, key } = decided
      const previous = this.get(resource, key)
      const type = 'remove' in draft ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED'
      const object = 'remove' in draft ? draft.remove : draft.put
      try {
        written.push({ decided, change: stampedChange(decided, type, object, this.revision + written.length + 1, previous) })
      } catch (error) {
        decided.reject(error)
        this.#lines.leave(decided)
      }
    }
    return written
  }

  /** Durable from here on: show it, let indexes follow, let waiting writes decide on it, and then tell watchers and writers. */
  #committed(written: readonly Written[]): void {
    const changes = written.map(({ change }) => change)
    for (const change of changes) this.#history.apply(change)
    this.#tellObservers(changes)
    for (const { decided } of written) this.#lines.leave(decided)
    this.#history.publish(changes)
    for (const { decided, change } of written) decided.resolve(change.entry)
    for (const { previous } of changes) dropParse(previous)
    const keep = this.#options.compactAfter ?? 10_000
    if (this.revision - this.compacted >= keep + Math.ceil(keep / 2)) this.#compact(this.revision - keep)
  }

  #tellObservers(changes: readonly Change[]): void {
    for (const observer of this.#observers) this.#history.deliver(observer, changes)
  }

  #failed(written: readonly Written[], error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    if (error instanceof Fault && error.code !== 'store/outcome-unknown' && error.code !== 'store/stopped') {
      this.#options.log.error('the store refused a batch', { code: error.code, error: why })
      this.#reject(written, new ApiError('ServiceUnavailable', `${why}; nothing was written`, { retryAfterSeconds: 5 }))
      if (error.code === 'store/full') this.#compact(this.revision)
      return
    }
    this.#options.log.error('the store stopped, so the world is read-only', { error: why })
    this.#trouble = why
    const stopped = error instanceof Fault && error.code === 'store/stopped'
    const fate = stopped ? 'nothing was written' : 'whether this write was kept is not known, so read the object before trying again'
    this.#reject(written, unavailable(`${why}; ${fate}`))
    for (const decided of this.#lines.take()) {
      decided.reject(unavailable(`${why}; nothing was written`))
      this.#lines.leave(decided)
    }
    this.#recover()
  }

  #reject(written: readonly Written[], refusal: ApiError): void {
    for (const { decided } of written) {
      decided.reject(refusal)
      this.#lines.leave(decided)
    }
  }

  #refusal(): ApiError | undefined {
    if (this.trouble === undefined) return undefined
    this.#recover()
    return unavailable(`${this.trouble}; nothing was written`)
  }

  /** One try at a time; each refused write starts the next one, so no timer is needed. */
  #recover(): void {
    const { reopen, log } = this.#options
    if (!reopen || this.#closing) return
    this.#recovery ??= this.#reload(reopen)
      .then(() => {
        this.#trouble = undefined
        log.info('the store is open again', { revision: this.revision })
      })
      .catch((error: unknown) => {
        this.#trouble = error instanceof Error ? error.message : String(error)
        log.error('the store cannot be opened again', { error: this.#trouble })
      })
      .finally(() => {
        this.#recovery = undefined
      })
  }

  /** What the lost commit did write is shown as if it had been answered: watches skip nothing. */
  async #reload(reopen: () => Promise<Store>): Promise<void> {
    await this.#store.close().catch(() => {})
    const store = await reopen()
    const missed: Row[] = []
    for await (const row of store.load()) if (row.revision > this.revision) missed.push(row)
    const found = store.state().revision
    if (found !== this.revision + missed.length) {
      await store.close()
      throw new Fault(
        'store/behind',
        `Cannot go on with the reopened store: it ends at revision ${found}, not ${this.revision}; start again`,
      )
    }
    this.#store = store
    const changes = missed.map(row => {
      const change = this.#history.changeOf(row)
      this.#history.apply(change)
      return change
    })
    this.#tellObservers(changes)
    this.#history.publish(changes)
  }

  #compact(to: number): void {
    if (this.#compacting || to <= this.compacted) return
    this.#compacting = true
    this.#history.forgetUpTo(to)
    this.#store
      .compact(to)
      .catch((error: unknown) => this.#options.log.warn('compaction stopped; the next one goes on with it', { error: String(error) }))
      .finally(() => {
        this.#compacting = false
      })
  }
}

const unavailable = (why: string): ApiError => new ApiError('ServiceUnavailable', `Writes are refused: ${why}`, { retryAfterSeconds: 5 })

const rowOf = ({ change }: Written): Row => ({
  revision: change.revision,
  type: rowType(change.type),
  key: rowKey(change.entry.resource, change.entry.key),
  value: change.entry.bytes,
})
