import { type Millis, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { sameUuid } from '../policy/identity.ts'
import type { Clock, HttpResponse, Log, Transport } from '../ports/index.ts'
import { bootAddress } from './boot-address.ts'
import type { Files } from './collect/files.ts'
import { collect } from './collect/index.ts'
import type { Addresses } from './collect/network.ts'
import { systemUuid } from './collect/system.ts'
import { bootStateOf, registrationOf } from './payload.ts'

export interface ProbeOptions {
  readonly clock: Clock
  readonly log: Log
  readonly files: Files
  /** To a host; paths are added to its address. */
  connect(baseUrl: string): Transport
  /** Where to register, with the ticket in it; found by itself where it is not said. */
  readonly registry?: string
  /** Used where firmware has no UUID, and compared where it has. */
  readonly uuid?: string
  readonly addresses?: Addresses
  readonly signal: AbortSignal
}

/** Neighbours are heard of every half minute, so that is how often there may be news. */
const again: Millis = seconds(30)
const longest: Millis = seconds(30)

/** The discovery probe: says what this machine is, says that it runs, and goes on saying what is new until it is switched off. */
export async function probe(options: ProbeOptions): Promise<void> {
  const { clock, log, files, signal } = options
  const registry = (options.registry ?? (await bootAddress(files)))?.replace(/\/$/, '')
  if (registry === undefined || !URL.canParse(registry))
    throw new Fault('probe/no-registry', 'Cannot register this machine: nothing says where', 'when-changed', {
      hint: 'boot it by the boot server, or give --registry <address>',
    })
  const uuid = await identity(files, options.uuid)
  const transport = options.connect(registry)
  const post = (path: string, body: object): Promise<void> => insist(options, () => transport(request(path, body, signal)), path)
  await post('/register', registrationOf(await collect(files, uuid, options.addresses)))
  log.info('Registered', { system: uuid })
  await post('/bootstate', bootStateOf(uuid))
  while (!signal.aborted) {
    await clock.sleep(again, signal).catch(() => {})
    if (!signal.aborted) await post('/register', registrationOf(await collect(files, uuid, options.addresses)))
  }
}

async function identity(files: Files, given: string | undefined): Promise<string> {
  const found = await systemUuid(files)
  if (given !== undefined && found !== undefined && !sameUuid(given, found))
    throw new Fault('probe/other-machine', `Cannot register as ${given}: this machine is ${found}`, 'never')
  const uuid = found ?? given
  if (uuid === undefined)
    throw new Fault('probe/no-uuid', 'Cannot register this machine: its firmware has no UUID', 'never', { hint: 'give --uuid <uuid>' })
  return uuid
}

const request = (url: string, body: object, signal: AbortSignal) => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', 'user-agent': 'rackwright-probe' },
  body: Buffer.from(JSON.stringify(body)),
  signal,
})

/** Tries until it is answered well: the boot server may be away for a while, and there is nobody else to tell. */
async function insist({ clock, log, signal }: ProbeOptions, ask: () => Promise<HttpResponse>, what: string): Promise<void> {
  let pause: Millis = seconds(1)
  while (!signal.aborted) {
    const found = await ask().then(
      ({ status }) => `it answered ${status}`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (/^it answered 2\d\d$/.test(found)) return
    log.warn('The boot server does not take what this machine says', { what, because: found })
    await clock.sleep(pause, signal).catch(() => {})
    pause = Math.min(pause * 2, longest)
  }
}
