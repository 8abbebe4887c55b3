import { Fault } from './fault.ts'

/** One term of the API's `fieldSelector` parameter. */
export interface FieldTerm {
  readonly path: string
  readonly equals: boolean
  readonly value: string
}

/** Every term must hold. Throws Fault `selector/malformed`. */
export function parseFieldSelector(text: string): readonly FieldTerm[] {
  const terms: FieldTerm[] = []
  for (const part of splitTerms(text)) {
    if (part === '') continue
    const found = /^([^=!]*)(==|!=|=)/.exec(part)
    if (!found) throw malformed(text, `"${part}" is not of the form path=value, path==value or path!=value`)
    terms.push({ path: found[1]!, equals: found[2] !== '!=', value: unescaped(part.slice(found[0].length), text) })
  }
  return terms
}

/** `read` gives an object's value at a path; a path without a value counts as empty, as in Kubernetes. */
export const selectsFields = (terms: readonly FieldTerm[], read: (path: string) => string | undefined): boolean =>
  terms.every(term => ((read(term.path) ?? '') === term.value) === term.equals)

const malformed = (text: string, found: string) =>
  new Fault('selector/malformed', `unable to parse field selector ${JSON.stringify(text)}: ${found}`, 'never')

/** Commas separate, unless a backslash stands before them. */
function splitTerms(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}

function unescaped(value: string, text: string): string {
  let plain = ''
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!
    if (char === '\\') {
      const escaped = value[++at]
      if (escaped !== '\\' && escaped !== ',' && escaped !== '=')
        throw malformed(text, `invalid escape sequence in "${value}": only \\\\, \\, and \\= are`)
      plain += escaped
    } else if (char === '=') throw malformed(text, `"${value}" holds an unescaped "="`)
    else plain += char
  }
  return plain
}
