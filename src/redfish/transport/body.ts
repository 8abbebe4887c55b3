import { gunzipSync } from 'node:zlib'
import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import { decodeJson } from '../../net/body/json.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bodyLimits } from './limits.ts'

/** Reads a body up to the limit and not a chunk further, however much is announced or sent. */
export async function boundedBody(asked: string, response: HttpResponse): Promise<Uint8Array> {
  const announced = Number(response.headers['content-length'] ?? 0)
  const { body } = response
  if (body instanceof Uint8Array) {
    if (body.length > bodyLimits.bytes) throw tooLarge(asked)
    return body
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bodyLimits.bytes || announced > bodyLimits.bytes) throw tooLarge(asked)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** Some registries of HPE come packed whatever is asked for. */
export function unpacked(asked: string, response: HttpResponse, bytes: Uint8Array): Uint8Array {
  if (response.headers['content-encoding'] !== 'gzip') return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: bodyLimits.bytes })
  } catch {
    throw new Fault('bmc/bad-answer', `${asked}: the packed answer is damaged or unpacks to more than ${bodyLimits.bytes} bytes`)
  }
}

/** Parsed JSON, or undefined for an empty body. */
export function parsedBody(asked: string, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  try {
    return decodeJson(bytes, { limits: bodyLimits })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The parser quotes the text that it fell over: a BMC's own words, which may be anything.
    const found = error.message.replace(/^[^:]*: /, '').replace(/,? *(\.\.\.)?"?[^"]*"?(\.\.\.)? is not valid JSON.*/s, '')
    throw new Fault('bmc/bad-answer', `${asked}: the answer is not usable JSON (${found.slice(0, 100)})`)
  }
}

const tooLarge = (asked: string): Fault =>
  new Fault('bmc/too-large', `${asked}: the answer is larger than ${bodyLimits.bytes} bytes`, 'backoff', {
    hint: 'No Redfish resource is that large: check what answers at this address.',
  })
