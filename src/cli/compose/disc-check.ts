import { BlockList, isIPv6 } from 'node:net'
import { seconds } from '../../core/duration.ts'
import type { Admits } from '../../net/admitted.ts'
import { httpTransport } from '../../net/client.ts'
import type { Clock } from '../../ports/index.ts'
import type { DiscCheck } from '../../ports/provisioner.ts'

/** Where the first descriptor of an ISO 9660 image begins, and what stands in it after one byte. */
const descriptor = 32_768
const mark = 'CD001'
const patience = seconds(10)

/** Addresses of this computer itself and of the cloud's own services: whoever may name a disc may not have these asked. */
const closed = new BlockList()
closed.addSubnet('127.0.0.0', 8, 'ipv4')
closed.addSubnet('169.254.0.0', 16, 'ipv4')
closed.addAddress('0.0.0.0', 'ipv4')
closed.addAddress('::1', 'ipv6')
closed.addAddress('::', 'ipv6')
closed.addSubnet('fe80::', 10, 'ipv6')
closed.addSubnet('::ffff:0:0', 96, 'ipv6')
const elsewhere: Admits = address => !closed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Reads six bytes of a disc. One that cannot be reached from here may well be reached by the management controller, which is what counts. */
export const discCheck = (clock: Pick<Clock, 'after'>, admits: Admits = elsewhere): DiscCheck => ({
  async of(url, signal) {
    const { origin, pathname, search } = new URL(url)
    const transport = httpTransport({ baseUrl: origin, admits, wholeUpTo: 4_096 })
    const late = new AbortController()
    const cancel = clock.after(patience, () => late.abort())
    try {
      const headers = { range: `bytes=${descriptor}-${descriptor + mark.length}` }
      const answer = await transport({ method: 'GET', url: pathname + search, headers, signal: AbortSignal.any([signal, late.signal]) })
      // A server that knows no ranges would send all of it.
      if (answer.status !== 206) return answer.status === 416 ? 'other' : 'unknown'
      return (await first(answer.body, mark.length + 1)).subarray(1).toString('latin1') === mark ? 'iso' : 'other'
    } catch {
      return 'unknown'
    } finally {
      cancel()
      await transport.close().catch(() => {})
    }
  },
})

async function first(body: Uint8Array | AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body).subarray(0, bytes)
  const parts: Uint8Array[] = []
  for await (const part of body) {
    parts.push(part)
    if (parts.reduce((sum, { length }) => sum + length, 0) >= bytes) break
  }
  return Buffer.concat(parts).subarray(0, bytes)
}
