import { type Millis, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { decodeJson } from '../../net/body/json.ts'
import type { IgnitionConfigs } from '../../ports/host-images.ts'
import type { Clock, HttpResponse, Transport } from '../../ports/index.ts'

export interface IgnitionConfigsOptions {
  readonly clock: Clock
  /** A way to one origin; closed when it is not needed any longer. */
  to(origin: string): Transport & { close?(): Promise<void> }
}

const most = { bytes: 8 << 20, hops: 5, whole: seconds(60) satisfies Millis }

/** What was asked for, as it may be told: addresses of this kind carry keys behind their question mark. */
const told = (url: URL): string => `${url.origin}${url.pathname}`

class Unreadable extends Error {
  readonly mayRecover: boolean
  constructor(because: string, mayRecover: boolean) {
    super(because)
    this.mayRecover = mayRecover
  }
}

/** Reads Ignition over HTTP(S): small, soon, after few redirects, and never less secret than it was asked for. */
export const ignitionConfigs = (options: IgnitionConfigsOptions): IgnitionConfigs => ({
  async read(uri, signal) {
    const late = new AbortController()
    const cancel = options.clock.after(most.whole, () => late.abort(new Unreadable(`it takes longer than ${most.whole / 1_000} s`, true)))
    const stop = (): void => late.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    let place = 'the address of the annotation'
    try {
      let url = addressOf(uri)
      for (let hop = 0; hop <= most.hops; hop++) {
        place = told(url)
        const next = await asked(options, url, late.signal)
        if (!(next instanceof URL)) return { ignition: next }
        if (url.protocol === 'https:' && next.protocol !== 'https:')
          throw new Unreadable('it points on to an address that is not encrypted', false)
        url = next
      }
      throw new Unreadable(`it points on more than ${most.hops} times`, false)
    } catch (error) {
      signal.throwIfAborted()
      const cause: unknown = late.signal.aborted ? late.signal.reason : error
      const because = cause instanceof Unreadable || cause instanceof Fault ? cause.message : 'there is no answer'
      return { wrong: `Cannot read the Ignition at ${place}: ${because}`, mayRecover: !(cause instanceof Unreadable) || cause.mayRecover }
    } finally {
      cancel()
      signal.removeEventListener('abort', stop)
    }
  },
})

function addressOf(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new Unreadable('it is no address', false)
  const url = new URL(text, base?.href)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Unreadable('only http and https are read', false)
  return url
}

/** The Ignition, or where to look for it instead. */
async function asked({ to }: IgnitionConfigsOptions, url: URL, signal: AbortSignal): Promise<JsonObject | URL> {
  const transport = to(url.origin)
  try {
    const response = await transport({ method: 'GET', url: url.pathname + url.search, headers: { accept: 'application/json' }, signal })
    const { location } = response.headers
    if ([301, 302, 303, 307, 308].includes(response.status) && location !== undefined) return addressOf(location, url)
    if (response.status !== 200) throw new Unreadable(`the server answered ${response.status}`, true)
    return parsed(await whole(response, signal))
  } finally {
    await transport.close?.()
  }
}

async function whole({ body }: HttpResponse, signal: AbortSignal): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body instanceof Uint8Array ? [body] : body) {
    signal.throwIfAborted()
    size += part.length
    if (size > most.bytes) throw new Unreadable(`it is larger than ${most.bytes >> 20} MiB`, false)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function parsed(bytes: Buffer): JsonObject {
  try {
    const json = decodeJson(bytes)
    if (isObject(json)) return json as JsonObject
  } catch {
    // What is wrong with it would repeat some of it.
  }
  throw new Unreadable('it is no Ignition', false)
}
