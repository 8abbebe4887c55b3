import type { Json } from '../../core/json.ts'
import { checkSize, jsonLimits, type Limits, malformed } from './limits.ts'
import { scanJson } from './scan.ts'

export interface JsonOptions {
  readonly limits?: Limits
  /** Parses the text once the scan has passed it; a test counts its calls. */
  readonly parse?: (text: string) => unknown
}

export function decodeJson(bytes: Uint8Array, options: JsonOptions = {}): Json {
  const limits = options.limits ?? jsonLimits
  checkSize('JSON', bytes, limits)
  scanJson(bytes, limits)
  if (bytes.length === 0) throw malformed('JSON', 'it is empty')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  try {
    return (options.parse ?? JSON.parse)(text) as Json
  } catch (error) {
    throw malformed('JSON', error instanceof Error ? error.message : String(error))
  }
}
