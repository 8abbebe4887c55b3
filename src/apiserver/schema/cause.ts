import type { Cause } from '../../api/status.ts'

// Field errors in Kubernetes' words, so that people and programs that know them find nothing new.

/** Where in an object something was found: names of fields and positions in lists. */
export type Path = readonly (string | number)[]

export function pathText(path: Path): string {
  let text = ''
  for (const part of path) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`
  return text
}

const longest = 512

/** A value as it stands in a message; long ones are cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const withDetail = (text: string, detail: string): string => (detail === '' ? text : `${text}: ${detail}`)

export const required = (field: string, detail = ''): Cause => ({
  reason: 'FieldValueRequired',
  message: withDetail('Required value', detail),
  field,
})

export const invalid = (field: string, value: unknown, detail: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${withDetail(shown(value), detail)}`,
  field,
})

/** `found` is what stands there instead: the name of its type, or the text that has the wrong format. */
export const wrongType = (field: string, expected: string, found: string): Cause => ({
  reason: 'FieldValueTypeInvalid',
  message: `Invalid value: ${shown(found)}: ${field} in body must be of type ${expected}: ${shown(found)}`,
  field,
})

export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${withDetail(shown(value), supported.length > 0 ? `supported values: ${supported.map(shown).join(', ')}` : '')}`,
  field,
})

export const duplicate = (field: string, value: unknown): Cause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${shown(value)}`,
  field,
})

export const tooLong = (field: string, max: number): Cause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${max} bytes`,
  field,
})

export const tooMany = (field: string, actual: number, max: number): Cause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${actual}: must have at most ${max} items`,
  field,
})

export const forbidden = (field: string, detail: string): Cause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
})
