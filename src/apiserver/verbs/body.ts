import { ApiError } from '../../api/status.ts'
import { duplicateFields } from '../../net/body/duplicates.ts'
import { decodeJson } from '../../net/body/json.ts'
import { decodeProtobuf } from '../../net/body/protobuf.ts'
import { decodeYaml } from '../../net/body/yaml.ts'
import type { Call } from '../call.ts'

export interface Body {
  readonly value: unknown
  /** Paths that the body names twice; only strict and warning clients hear of them. */
  readonly duplicates: readonly string[]
}

export interface FieldValidation {
  readonly mode: 'Strict' | 'Warn' | 'Ignore'
  readonly duplicates: readonly string[]
}

const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const

export const contentType = (call: Call): string =>
  (call.request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''

/** One object in any of the three languages that clients send. Built-in kinds alone may come as protobuf. */
export function readBody(call: Call, wireType = call.resource.wireType): Body {
  const bytes = call.request.body ?? new Uint8Array()
  const type = contentType(call)
  switch (type) {
    case 'application/json':
    case '':
      return { value: decodeJson(bytes), duplicates: watchful(call) ? duplicateFields(bytes) : [] }
    case 'application/yaml': {
      const duplicates: string[] = []
      return { value: decodeYaml(bytes, { onDuplicate: path => duplicates.push(path) }), duplicates }
    }
    case 'application/vnd.kubernetes.protobuf':
      if (wireType === undefined) throw unsupported(type, types.slice(0, 2))
      return { value: decodeProtobuf(bytes, wireType), duplicates: [] }
    default:
      throw unsupported(type, types)
  }
}

export const readOptionalBody = (call: Call, wireType: string): unknown =>
  call.request.body && call.request.body.length > 0 ? readBody(call, wireType).value : undefined

export const readPatch = (call: Call): unknown => decodeJson(call.request.body ?? new Uint8Array())

export function fieldValidation(call: Call, duplicates: readonly string[]): FieldValidation {
  const mode = call.query.get('fieldValidation') || 'Warn'
  if (mode !== 'Strict' && mode !== 'Warn' && mode !== 'Ignore') {
    throw new ApiError('Invalid', `fieldValidation: Unsupported value: "${mode}": supported values: "Ignore", "Strict", "Warn"`)
  }
  return { mode, duplicates }
}

const watchful = (call: Call): boolean => call.query.get('fieldValidation') !== 'Ignore'

export const unsupported = (type: string, known: readonly string[]): ApiError =>
  new ApiError('UnsupportedMediaType', `Cannot read a body of type "${type}": this request takes ${known.join(', ')}`)
