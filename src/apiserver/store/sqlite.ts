import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Fault } from '../../core/fault.ts'
import type { Log, Store } from '../../ports/index.ts'
import type { Connection, ConnectionOptions } from './connection.ts'
import { checkBatch, Superseded } from './superseded.ts'
import type { Answer, Operation, Question } from './worker.ts'

export type SqliteOptions = Partial<Omit<ConnectionOptions, 'directory'>> & { readonly log: Log }

/** The durable store: SQLite, owned by a worker thread, one batch and one commit at a time. */
export async function openSqliteStore(directory: string, { log, ...options }: SqliteOptions): Promise<Store> {
  const workerData: ConnectionOptions = { directory, writer: 'rackwright', ...options }
  // The sources run as they are, the package runs compiled: the worker beside this file has this file's ending.
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), { workerData, execArgv: [] })
  let unanswered: PromiseWithResolvers<unknown>[] = []
  let stopped: Fault | undefined

  const nextAnswer = (): Promise<unknown> => {
    const answer = Promise.withResolvers()
    unanswered.push(answer)
    return answer.promise
  }
  const ask = async <O extends Operation>(operation: O, ...given: Parameters<Connection[O]>): Promise<ReturnType<Connection[O]>> => {
    if (stopped) throw stopped
    worker.postMessage({ do: operation, with: given } satisfies Question)
    return (await nextAnswer()) as ReturnType<Connection[O]>
  }
  const stop = (why: string): void => {
    stopped ??= new Fault('store/stopped', `Cannot use the store in ${directory}: ${why}`)
    for (const { reject } of unanswered) reject(new Fault('store/outcome-unknown', `Cannot tell what ${directory} kept: ${why}`))
    unanswered = []
  }
  worker.on('message', (answer: Answer) => {
    if ('value' in answer) return unanswered.shift()?.resolve(answer.value)
    const { code, message, retry, hint } = answer.fault
    unanswered.shift()?.reject(new Fault(code, message, retry, hint === undefined ? {} : { hint }))
  })
  worker.on('error', error => stop(String(error)))
  const ended = new Promise<void>(resolve => worker.on('exit', () => resolve(stop('its thread has ended'))))

  const { state, notes } = (await nextAnswer()) as Pick<Connection, 'state' | 'notes'>
  for (const note of notes) log.warn(note, { directory })
  let { revision, compacted } = state
  const superseded = new Superseded()
  let compaction = Promise.resolve()
  const dropUpTo = async (to: number): Promise<void> => {
    for (let dead = superseded.next(to, 500); dead.length > 0 || to > compacted; dead = superseded.next(to, 500)) {
      await ask('compact', to, dead)
      superseded.forget(dead.length)
      compacted = Math.max(compacted, to)
    }
  }

  return {
    state: () => ({ revision, compacted }),
    async *load() {
      for (let rows = await ask('load', 0); rows.length > 0; ) {
        const next = ask('load', rows.at(-1)!.revision)
        next.catch(() => {}) // heard below, after these rows
        for (const row of rows) {
          superseded.note(row)
          yield row
        }
        rows = await next
      }
    },
    async append(batch) {
      checkBatch(batch, revision)
      await ask('append', batch)
      for (const row of batch) superseded.note(row)
      revision += batch.length
    },
    compact(to) {
      compaction = compaction.catch(() => {}).then(() => dropUpTo(Math.min(to, revision)))
      return compaction
    },
    backup: path => ask('backup', path),
    async close() {
      if (!stopped) await ask('close')
      await ended
    },
  }
}
