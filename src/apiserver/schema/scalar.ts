import type { Structural } from '../../api/structural.ts'
import { invalid, tooLong, wrongType } from './cause.ts'
import { formatCheck } from './formats.ts'
import { patternCheck } from './pattern.ts'
import { complain, type Run } from './run.ts'

/** Looks at a value of the right type and complains; never changes it. */
export type Check = (value: unknown, run: Run) => void

/** Checks that apply to texts and numbers, whatever `type` says (it may be missing inside anyOf and its like). */
export function scalarChecks(schema: Structural): readonly Check[] {
  return [...textChecks(schema), ...numberChecks(schema)]
}

function textChecks(schema: Structural): readonly Check[] {
  const checks: ((text: string, run: Run) => void)[] = []
  const { minLength, maxLength, pattern, format } = schema
  const says = (run: Run, text: string, what: string) => complain(run, field => invalid(field, text, `${field} in body ${what}`))

  if (maxLength !== undefined) {
    checks.push((text, run) => {
      if (text.length > maxLength && lengthOf(text) > maxLength) complain(run, field => tooLong(field, maxLength))
    })
  }
  if (minLength !== undefined) {
    checks.push((text, run) => {
      if (lengthOf(text) < minLength) says(run, text, `should be at least ${minLength} chars long`)
    })
  }
  if (pattern !== undefined) {
    const matches = patternCheck(pattern)
    checks.push((text, run) => {
      if (!matches(text)) says(run, text, `should match '${pattern}'`)
    })
  }
  const fits = format === undefined ? undefined : formatCheck(format)
  if (fits && format !== undefined) {
    // What is not base64 may still be a secret that somebody forgot to encode.
    const quoted = format === 'byte' || format === 'password' ? () => 'string' : (text: string) => text
    checks.push((text, run) => {
      if (!fits(text)) complain(run, field => wrongType(field, format, quoted(text)))
    })
  }
  return checks.map(check => (value, run) => {
    if (typeof value === 'string') check(value, run)
  })
}

/** Kubernetes counts code points, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code <= 0xdbff) {
      length--
      at++
    }
  }
  return length
}

function numberChecks(schema: Structural): readonly Check[] {
  const checks: ((number: number, run: Run) => void)[] = []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  const says = (run: Run, number: number, what: string) => complain(run, field => invalid(field, number, `${field} in body ${what}`))

  if (minimum !== undefined) {
    checks.push((number, run) => {
      if (number < minimum) says(run, number, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
      else if (exclusiveMinimum && number === minimum) says(run, number, `should be greater than ${minimum}`)
    })
  }
  if (maximum !== undefined) {
    checks.push((number, run) => {
      if (number > maximum) says(run, number, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
      else if (exclusiveMaximum && number === maximum) says(run, number, `should be less than ${maximum}`)
    })
  }
  if (multipleOf !== undefined && multipleOf > 0) {
    checks.push((number, run) => {
      const times = number / multipleOf
      if (Math.abs(times - Math.round(times)) > 1e-9) says(run, number, `should be a multiple of ${multipleOf}`)
    })
  }
  if (format === 'int32' || format === 'int64') {
    const [low, high] = format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [-(2 ** 63), 2 ** 63]
    checks.push((number, run) => {
      if (number < low || number > high) says(run, number, `must be of type ${format}`)
    })
  }
  return checks.map(check => (value, run) => {
    if (typeof value === 'number') check(value, run)
  })
}
