/** One step of a path: what to take from each value that was found so far. */
export type PathStep =
  | { readonly is: 'fields'; readonly names: readonly string[] }
  | { readonly is: 'items'; readonly indexes: readonly number[] }
  | { readonly is: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly is: 'all' }
  | { readonly is: 'deep' }
  | { readonly is: 'where'; readonly path: readonly PathStep[]; readonly compare?: Comparison; readonly than?: Operand }

type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
type Operand = { readonly literal: string | number | boolean | null } | { readonly path: readonly PathStep[] }

export type ParsedPath = { readonly ok: true; readonly steps: readonly PathStep[] } | { readonly ok: false; readonly because: string }

class Stop extends Error {}

/** `.a['b.c'][0]`, with or without the braces and the `$` of kubectl's templates. */
export function parsePath(source: string): ParsedPath {
  const text = /^\{.*\}$/s.test(source) ? source.slice(1, -1).trim() : source.trim()
  if (text === '') return { ok: false, because: 'it is empty' }
  try {
    const steps: PathStep[] = []
    let at = text[0] === '$' || text[0] === '@' ? 1 : 0
    while (at < text.length) at = readStep(text, at, steps)
    return { ok: true, steps }
  } catch (error) {
    if (error instanceof Stop) return { ok: false, because: error.message }
    throw error
  }
}

function readStep(text: string, start: number, steps: PathStep[]): number {
  if (text[start] === '.') {
    if (text[start + 1] === '.') {
      if (text[start + 2] === '.' || start + 2 >= text.length) throw new Stop(`a name is missing at ${start + 2}`)
      steps.push({ is: 'deep' })
      return text[start + 2] === '[' ? start + 2 : start + 1
    }
    if (text[start + 1] === '[') return start + 1
    if (text[start + 1] === '*') {
      steps.push({ is: 'all' })
      return start + 2
    }
    return readName(text, start + 1, steps)
  }
  if (text[start] === '[') {
    const end = closing(text, start)
    steps.push(readBracket(text.slice(start + 1, end).trim()))
    return end + 1
  }
  throw new Stop(`found "${text.slice(start, start + 12)}" at ${start}, expected "." or "["`)
}

/** A backslash takes the next character as it is: `.metadata.annotations.example\.com/x`. */
function readName(text: string, start: number, steps: PathStep[]): number {
  let name = ''
  let at = start
  for (; at < text.length && text[at] !== '.' && text[at] !== '['; at++) {
    if (/[\s'"{}()\]]/.test(text[at]!)) throw new Stop(`unexpected character ${JSON.stringify(text[at])} at ${at}`)
    if (text[at] === '\\') at++
    name += text[at] ?? ''
  }
  if (name === '' && at < text.length) throw new Stop(`a name is missing at ${start}`)
  if (name !== '') steps.push({ is: 'fields', names: [name] })
  return at
}

function closing(text: string, open: number): number {
  let depth = 0
  let quote = ''
  for (let at = open; at < text.length; at++) {
    const char = text[at]!
    if (quote) {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if (char === "'" || char === '"') quote = char
    else if (char === '[') depth++
    else if (char === ']' && --depth === 0) return at
  }
  throw new Stop(`the bracket at ${open} is not closed`)
}

function readBracket(inner: string): PathStep {
  if (inner === '*') return { is: 'all' }
  const filter = /^\?\s*\((.*)\)$/s.exec(inner)
  if (filter) return readFilter(filter[1]!.trim())
  const slice = /^(-?\d{0,9}):(-?\d{0,9})$/.exec(inner)
  if (slice) return { is: 'slice', from: slice[1] ? Number(slice[1]) : undefined, to: slice[2] ? Number(slice[2]) : undefined }
  if (/^-?\d{1,9}(\s*,\s*-?\d{1,9})*$/.test(inner)) return { is: 'items', indexes: inner.split(',').map(Number) }
  const names = splitOutsideQuotes(inner).map(part => quoted(part.trim()))
  if (names.length > 0 && names.every(name => name !== undefined)) return { is: 'fields', names: names as string[] }
  throw new Stop(`invalid subscript [${inner}]`)
}

function readFilter(inner: string): PathStep {
  const operator = /^((?:[^'"<>=!]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s.exec(inner)
  if (!operator) return { is: 'where', path: innerPath(inner) }
  return { is: 'where', path: innerPath(operator[1]!), compare: operator[2] as Comparison, than: operand(operator[3]!.trim()) }
}

function operand(text: string): Operand {
  const literal = quoted(text)
  if (literal !== undefined) return { literal }
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) }
  if (text === 'true' || text === 'false') return { literal: text === 'true' }
  if (text === 'null') return { literal: null }
  return { path: innerPath(text) }
}

function innerPath(text: string): readonly PathStep[] {
  if (!text.startsWith('@')) throw new Stop(`found "${text}" in a filter, expected a path that starts with "@"`)
  if (text === '@') return []
  const parsed = parsePath(text)
  if (!parsed.ok) throw new Stop(parsed.because)
  return parsed.steps
}

function quoted(text: string): string | undefined {
  const quote = text[0]
  if ((quote !== "'" && quote !== '"') || text.length < 2 || text.at(-1) !== quote) return undefined
  let plain = ''
  for (let at = 1; at < text.length - 1; at++) {
    if (text[at] === quote) return undefined
    if (text[at] === '\\') at++
    plain += text[at]
  }
  return plain
}

function splitOutsideQuotes(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote) {
      if (char === '\\') at++
      else if (char === quote) quote = ''
    } else if (char === "'" || char === '"') quote = char
    else if (char === ',') {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}
