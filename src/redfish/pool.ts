import { seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { sameJson } from '../core/json.ts'
import type { Bmc, BmcAccess, BmcPool } from '../ports/bmc.ts'
import type { Clock, Log, Transport } from '../ports/index.ts'
import { connect, type Line } from './connect.ts'
import { describe } from './open.ts'
import { type Lane, lane } from './transport/lane.ts'

export interface PoolOptions {
  /** How a server's BMC is reached; asked at every use, so that a changed address is followed. */
  access(server: string): Promise<BmcAccess>
  readonly clock: Clock
  readonly log: Log
  /** In place of the network. */
  transport?(access: BmcAccess): Transport
  /** Nothing will be changed through it: opening a machine takes fewer requests then. */
  readonly reading?: boolean
  /** Requests at once over all BMCs. */
  readonly atOnce?: number
}

/** Healthy BMCs share many places; those that did not answer last time share few of their own, so that they cannot take the others' time. */
const places = 1_024
const doubtfulPlaces = 64

interface Entry {
  readonly line: Line
  readonly where: object
  bmc: Promise<Bmc> | undefined
}

export function bmcPool(options: PoolOptions): BmcPool {
  const healthy = lane(options.atOnce ?? places)
  const doubtful = lane(doubtfulPlaces)
  const entries = new Map<string, Entry>()
  let closed = false

  const entryFor = async (server: string): Promise<Entry> => {
    const access = await options.access(server)
    const where = whereOf(access)
    const before = entries.get(server)
    if (before && sameJson(before.where, where)) return before
    const entry: Entry = { line: lineTo(access, options, healthy, doubtful), where, bmc: undefined }
    entries.set(server, entry)
    // Only now, with the new one in place: whoever comes meanwhile must not make a third.
    await before?.line.close().catch(() => {})
    return entry
  }
  const opened = (entry: Entry, access: string | undefined): Promise<Bmc> => {
    entry.bmc ??= describe(entry.line, access, { reading: options.reading }).catch((error: unknown) => {
      entry.bmc = undefined
      throw error
    })
    return entry.bmc
  }

  return {
    async use(server, work, signal) {
      if (closed) throw new Fault('bmc/closed', `Cannot speak to the BMC of ${server}: this program is shutting down`)
      const entry = await entryFor(server)
      const bmc = await unless(signal, opened(entry, systemOf(entry.where)))
      try {
        return await work(bmc)
      } catch (error) {
        // What was found once may have moved: after an update, or because another machine answers there now.
        if (error instanceof Fault && ['bmc/not-found', 'bmc/another-machine'].includes(error.code)) entry.bmc = undefined
        throw error
      }
    },
    async forget(server) {
      const entry = entries.get(server)
      entries.delete(server)
      await entry?.line.close().catch(() => {})
    },
    async close() {
      closed = true
      const all = [...entries.values()]
      entries.clear()
      const ended = Promise.allSettled(all.map(({ line }) => line.close())).then(() => {})
      // A dead BMC is not waited for: its session expires there.
      const enough = new AbortController()
      await Promise.race([ended, options.clock.sleep(seconds(20), enough.signal).catch(() => {})])
      enough.abort()
    },
  }
}

/** Others may wait for the same opening, so it goes on when one of them stops waiting. */
async function unless<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** What makes a line another line; credentials are asked for at each login, and do only where their revision is told. */
function whereOf({ address, system, tls, revision }: BmcAccess): object {
  const trust = 'ca' in tls ? { ca: tls.ca } : 'fingerprint' in tls ? { fingerprint: tls.fingerprint } : { trust: tls.trust }
  return { address, ...(system === undefined ? {} : { system }), ...trust, ...(revision === undefined ? {} : { revision }) }
}

const systemOf = (where: object): string | undefined => ('system' in where && typeof where.system === 'string' ? where.system : undefined)

function lineTo(access: BmcAccess, { clock, log, transport }: PoolOptions, healthy: Lane, doubtful: Lane): Line {
  const line = connect(access, { clock, log, ...(transport ? { transport: transport(access) } : {}) }, carry => request => {
    const through = line.connection.doubtful ? doubtful : healthy
    return through.through(() => carry(request), request.signal)
  })
  return line
}
