import type { Millis } from '../../core/duration.ts'
import { Hangup } from '../../net/exchange.ts'
import type { Clock, HttpResponse } from '../../ports/index.ts'
import type { SimBmc } from '../redfish/bmc.ts'
import type { Call } from '../redfish/call.ts'
import type { Outcome } from '../redfish/node.ts'
import { hostile } from './hostile.ts'
import { isOn, takes } from './switches.ts'

/** What goes wrong before the BMC does anything. */
export async function interfere(bmc: SimBmc, call: Call, signal: AbortSignal | undefined): Promise<Outcome | undefined> {
  const { machine } = bmc
  if (!machine.faults) return undefined
  if (takes(machine, 'no-answer', call)) return silence(signal)
  const flapping = isOn(machine, 'flapping-link', call)
  if (flapping && Math.floor((bmc.site.clock.now() - flapping.since) / 10_000) % 2 === 1) return silence(signal)
  if (takes(machine, 'too-many-requests', call)) return { status: 429, headers: { 'retry-after': '10' }, body: {} }
  if (takes(machine, 'server-error', call)) return { status: 500 }
  if (takes(machine, 'redirects-elsewhere', call)) return { status: 301, headers: { location: `https://elsewhere.example${call.path}` } }
  return undefined
}

/** Until the client has enough of it. */
const silence = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    const gone = (): void => reject(new Hangup('the client gave up'))
    if (signal?.aborted) gone()
    else signal?.addEventListener('abort', gone, { once: true })
  })

/** Waits, unless the client goes away meanwhile: then there is nobody to answer. */
export async function slowness(clock: Clock, ms: Millis, signal: AbortSignal | undefined): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {
    throw new Hangup('the client gave up')
  })
}

const minuteAndMore = 65_000

/** What goes wrong with an answer on its way. */
export async function tamper(bmc: SimBmc, call: Call, answer: HttpResponse, signal: AbortSignal | undefined): Promise<HttpResponse> {
  const { machine } = bmc
  if (!machine.faults) return answer
  const hold = takes(machine, 'hold', call)
  if (hold) await slowness(bmc.site.clock, hold.value ?? minuteAndMore, signal)
  const body = answer.body
  if (!(body instanceof Uint8Array) || body.length === 0) return answer
  const half = body.subarray(0, body.length >> 1)
  if (takes(machine, 'reset-mid-body', call))
    return { ...answer, headers: { ...answer.headers, 'content-length': String(body.length) }, body: brokenOff(half) }
  if (takes(machine, 'chunk-error', call)) return { ...answer, body: brokenOff(half) }
  if (takes(machine, 'truncated-json', call)) return { ...answer, body: half }
  if (takes(machine, 'duplicated-json', call)) return { ...answer, body: Buffer.concat([body, body]) }
  if (takes(machine, 'wrong-content-type', call)) return { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }
  return hostile(machine, call, answer, body)
}

async function* brokenOff(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part
  throw new Hangup('the connection broke off')
}
