import { minutes } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { httpTransport } from '../net/client.ts'
import type { FirmwareImages } from '../ports/firmware-images.ts'
import type { Clock } from '../ports/index.ts'

/** Until the first byte of an answer. */
const patience = minutes(2)

/** Firmware over HTTP(S), from where the JobRunner says: no redirects, so that it is really from there. */
export const httpImages = (clock: Clock): FirmwareImages => ({
  async open(address, signal) {
    const url = new URL(address)
    const place = `${url.host}${url.pathname}`
    const transport = httpTransport({ baseUrl: url.origin, wholeUpTo: 0 })
    const late = new AbortController()
    const cancel = clock.after(patience, () => late.abort(new Fault('image/too-slow', `Cannot read ${place}: no answer`)))
    const { status, body } = await transport({
      method: 'GET',
      url: url.pathname + url.search,
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([signal, late.signal]),
    }).finally(cancel)
    if (status !== 200) {
      await transport.close()
      throw new Fault('image/not-there', `Cannot read ${place}: the server answered ${status}`)
    }
    return closing(body, () => transport.close())
  },
})

async function* closing(body: Uint8Array | AsyncIterable<Uint8Array>, close: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    if (body instanceof Uint8Array) yield body
    else yield* body
  } finally {
    await close()
  }
}
