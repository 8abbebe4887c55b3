import { ApiError } from '../../api/status.ts'
import type { Json } from '../../core/json.ts'
import { duplicateFields } from './duplicates.ts'
import { decodeJson } from './json.ts'
import { decodeProtobuf, protobufType } from './protobuf.ts'
import { decodeYaml } from './yaml.ts'

export { duplicateFields } from './duplicates.ts'
export { decodeJson, type JsonOptions } from './json.ts'
export { jsonLimits, type Limits, yamlLimits } from './limits.ts'
export { decodeProtobuf, protobufType } from './protobuf.ts'
export { scanJson } from './scan.ts'
export { decodeYaml, type YamlOptions } from './yaml.ts'

export interface Decoded {
  readonly value: Json
  /** Paths of fields that the body names twice, for strict field validation. Looks again, so ask only where it counts. */
  duplicates(): readonly string[]
}

const jsonTypes: readonly string[] = [
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
]
const yamlTypes: readonly string[] = ['application/yaml', 'application/apply-patch+yaml']

/** `application/json; charset=utf-8` → `application/json`. A body without a type counts as JSON, as with Kubernetes. */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() || 'application/json'

/** Reads a request body by its content type. `typeName` helps where a protobuf envelope names no kind. */
export function decodeBody(bytes: Uint8Array, contentType: string | undefined, typeName?: string): Decoded {
  const type = mediaType(contentType)
  if (jsonTypes.includes(type)) return fromJson(bytes)
  if (yamlTypes.includes(type)) return fromYaml(bytes)
  if (type === protobufType) return { value: decodeProtobuf(bytes, typeName), duplicates: () => [] }
  const known = ['application/json', 'application/yaml', protobufType].join(', ')
  throw new ApiError('UnsupportedMediaType', `Cannot read a body of type "${type.slice(0, 100)}": this server takes ${known}`)
}

const fromJson = (bytes: Uint8Array): Decoded => ({ value: decodeJson(bytes), duplicates: () => duplicateFields(bytes) })

/** Clients send JSON under YAML's name (server-side apply), often larger than YAML may be: JSON gets its own, cheaper reader. */
function fromYaml(bytes: Uint8Array): Decoded {
  const first = bytes.find(byte => byte > 0x20)
  if (first === 0x7b || first === 0x5b) {
    try {
      return fromJson(bytes)
    } catch (error) {
      if (!ApiError.is(error, 'BadRequest') || bytes.length === 0) throw error
    }
  }
  const duplicates: string[] = []
  const value = decodeYaml(bytes, { onDuplicate: path => duplicates.push(path) })
  return { value, duplicates: () => duplicates }
}
