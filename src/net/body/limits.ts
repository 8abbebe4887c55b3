import { ApiError } from '../../api/status.ts'

/** What a body may cost before anything parses it. */
export interface Limits {
  readonly bytes: number
  readonly depth: number
  readonly keys: number
}

export const jsonLimits: Limits = { bytes: 3 * 1024 * 1024, depth: 256, keys: 50_000 }
/** Parsing YAML costs about thirty times as much per byte as JSON. */
export const yamlLimits: Limits = { bytes: 256 * 1024, depth: 256, keys: 50_000 }

export const malformed = (what: string, found: string): ApiError => new ApiError('BadRequest', `Cannot read the ${what} body: ${found}`)

const tooLarge = (what: string, found: string): ApiError => new ApiError('RequestEntityTooLarge', `Cannot take the ${what} body: ${found}`)

export const tooDeep = (what: string, limits: Limits): ApiError => malformed(what, `it is nested deeper than ${limits.depth} levels`)

export const tooManyKeys = (what: string, limits: Limits): ApiError => malformed(what, `it has more than ${limits.keys} fields`)

/** The one name that means something to JavaScript itself: no client needs it, and code that copies objects must never meet it. */
export const forbiddenKey = '__proto__'

export const refuseKey = (what: string): ApiError =>
  new ApiError('BadRequest', `Cannot take the ${what} body: it has a field named "${forbiddenKey}"`, {
    causes: [{ reason: 'FieldValueForbidden', message: 'a field of this name is never accepted', field: forbiddenKey }],
  })

export function checkSize(what: string, bytes: Uint8Array, limits: Limits): void {
  if (bytes.length > limits.bytes) throw tooLarge(what, `it has ${bytes.length} bytes, the limit is ${limits.bytes}`)
}
