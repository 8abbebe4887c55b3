import { typeOfKind, wireType } from '../../api/builtin/wire.ts'
import { ApiError } from '../../api/status.ts'
import type { JsonObject } from '../../core/json.ts'
import { checkSize, jsonLimits, type Limits, malformed } from './limits.ts'
import { readMessage } from './wire-message.ts'
import { delimited, WireReader } from './wire-reader.ts'

const protobufType = 'application/vnd.kubernetes.protobuf'
const magic = [0x6b, 0x38, 0x73, 0x00]

/**
 * Reads Kubernetes' protobuf (four magic bytes, then runtime.Unknown) into the object that its JSON would have been.
 * The envelope names the kind; `typeName` serves where it does not.
 */
export function decodeProtobuf(bytes: Uint8Array, typeName?: string, limits: Limits = jsonLimits): JsonObject {
  checkSize('protobuf', bytes, limits)
  if (magic.some((byte, i) => bytes[i] !== byte)) throw malformed('protobuf', 'it does not begin with "k8s" and a zero byte')
  const { apiVersion, kind, raw, contentType } = envelope(new WireReader(bytes, magic.length))
  if (contentType !== '' && contentType !== protobufType)
    throw new ApiError('UnsupportedMediaType', `Cannot read the protobuf body: its envelope holds ${contentType.slice(0, 100)}`)
  const name = kind === '' ? typeName : typeOfKind(apiVersion, kind)
  const type = name === undefined ? undefined : wireType(name)
  if (!type) {
    const what = kind === '' ? 'an object without a kind' : `${kind} of ${apiVersion || 'no apiVersion'}`
    throw new ApiError('UnsupportedMediaType', `Cannot read ${what.slice(0, 300)} as protobuf: send application/json`)
  }
  const object = readMessage(new WireReader(raw), type, limits)
  return { ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }), ...object }
}

interface Envelope {
  apiVersion: string
  kind: string
  raw: Uint8Array
  contentType: string
}

function envelope(reader: WireReader): Envelope {
  const found: Envelope = { apiVersion: '', kind: '', raw: new Uint8Array(), contentType: '' }
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (wire !== delimited) reader.skip(wire)
    else if (number === 1) typeMeta(reader.message(), found)
    else if (number === 2) found.raw = reader.bytes()
    else if (number === 3) {
      const encoding = reader.text()
      if (encoding !== '') throw malformed('protobuf', `its envelope is encoded as ${encoding.slice(0, 100)}`)
    } else if (number === 4) found.contentType = reader.text()
    else reader.skip(wire)
  }
  return found
}

function typeMeta(reader: WireReader, into: Envelope): void {
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (wire === delimited && number === 1) into.apiVersion = reader.text()
    else if (wire === delimited && number === 2) into.kind = reader.text()
    else reader.skip(wire)
  }
}
