import type { Scalar } from '../../api/builtin/wire.ts'
import type { Json } from '../../core/json.ts'
import { decodeJson } from './json.ts'
import { malformed } from './limits.ts'
import { delimited, fixed64, varint, type WireReader } from './wire-reader.ts'

/** How a scalar stands on the wire. */
export const wireOf = (type: Scalar): number => {
  switch (type) {
    case 'bool':
    case 'int32':
    case 'int64':
      return varint
    case 'double':
      return fixed64
    default:
      return delimited
  }
}

/** Reads one scalar and says it as Kubernetes' JSON does; undefined is Go's `null` (a zero time, no raw JSON). */
export function readScalar(reader: WireReader, type: Scalar): Json | undefined {
  switch (type) {
    case 'string':
      return reader.text()
    case 'bool':
      return reader.int64() !== 0
    case 'int32':
      return reader.int32()
    case 'int64':
      return reader.int64()
    case 'double':
      return finite(reader.double())
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64')
    case 'time':
      return moment(reader.message(), 0)
    case 'microTime':
      return moment(reader.message(), 6)
    case 'quantity':
      return parts(reader.message(), { 1: 'string' })[1] ?? '0'
    case 'duration':
      return goDuration(Number(parts(reader.message(), { 1: 'int64' })[1] ?? 0))
    case 'intOrString': {
      const { 1: kind, 2: number, 3: text } = parts(reader.message(), { 1: 'int64', 2: 'int32', 3: 'string' })
      return kind === 1 ? (text ?? '') : (number ?? 0)
    }
    case 'raw': {
      const raw = rawBytes(reader.message())
      return raw.length === 0 ? undefined : decodeJson(raw)
    }
    case 'strings':
      return strings(reader.message())
    default:
      return type satisfies never
  }
}

/** What Go shows for a value that was never set, where its tag does not leave it out; undefined is `null`. */
export function zeroOf(type: Scalar): Json | undefined {
  switch (type) {
    case 'string':
      return ''
    case 'bool':
      return false
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    case 'quantity':
      return '0'
    case 'duration':
      return '0s'
    default:
      return undefined
  }
}

function parts(reader: WireReader, fields: Readonly<Record<number, 'string' | 'int32' | 'int64'>>): Record<number, Json> {
  const found: Record<number, Json> = {}
  while (!reader.done) {
    const { number, wire } = reader.tag()
    const type = fields[number]
    if (type === undefined || wire !== wireOf(type)) reader.skip(wire)
    else found[number] = readScalar(reader, type) ?? null
  }
  return found
}

function moment(reader: WireReader, digits: 0 | 6): string | undefined {
  if (reader.done) return undefined
  const { 1: seconds = 0, 2: nanos = 0 } = parts(reader, { 1: 'int64', 2: 'int32' }) as Record<number, number>
  // Years 0 to 9999: what RFC 3339 can say.
  if (seconds < -62_167_219_200 || seconds > 253_402_300_799 || nanos < 0 || nanos > 999_999_999)
    throw malformed('protobuf', `a time is out of range (${seconds} seconds, ${nanos} nanoseconds)`)
  const whole = new Date(seconds * 1_000).toISOString().slice(0, 19)
  return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1_000)).padStart(6, '0')}Z`
}

function rawBytes(reader: WireReader): Uint8Array {
  let raw = new Uint8Array()
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (number === 1 && wire === delimited) raw = Uint8Array.from(reader.bytes())
    else reader.skip(wire)
  }
  return raw
}

function strings(reader: WireReader): string[] {
  const found: string[] = []
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (number === 1 && wire === delimited) found.push(reader.text())
    else reader.skip(wire)
  }
  return found
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw malformed('protobuf', `it has the value ${value}, which JSON cannot say`)
  return value
}

/** Nanoseconds in Go's notation, such as 1h0m30s or 1.5s. */
function goDuration(nanos: number): string {
  if (nanos === 0) return '0s'
  const sign = nanos < 0 ? '-' : ''
  const size = Math.abs(nanos)
  if (size < 1e9) return `${sign}${size < 1e3 ? `${size}ns` : size < 1e6 ? `${size / 1e3}µs` : `${size / 1e6}ms`}`
  const total = Math.floor(size / 1e9)
  const hours = Math.floor(total / 3_600)
  const minutes = Math.floor(total / 60) % 60
  const rest = (size - (hours * 3_600 + minutes * 60) * 1e9) / 1e9
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${rest}s`
}
