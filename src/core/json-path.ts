import { Fault } from './fault.ts'
import { isObject } from './json.ts'
import { type PathStep, parsePath } from './json-path-parse.ts'

/** Finds every value that a path leads to; nothing where the way ends. */
export type JsonPath = (value: unknown) => readonly unknown[]

/** Compiles the part of JSONPath that printer columns use: `.a.b`, `['x.y']`, `[0]`, `[-1]`, `[0:2]`, `[*]`, `..a`, `[?(@.type=="Ready")]`. Throws Fault `json-path/malformed`. */
export function compilePath(text: string): JsonPath {
  const parsed = parsePath(text)
  if (!parsed.ok) throw new Fault('json-path/malformed', `unable to parse JSONPath ${JSON.stringify(text)}: ${parsed.because}`, 'never')
  return value => walk(parsed.steps, value)
}

/** Several `..` in a row would find the same values over and over. */
const most = 1_000

function walk(steps: readonly PathStep[], start: unknown): readonly unknown[] {
  let found: unknown[] = [start]
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of found) if (next.length < most) take(step, value, next)
    if (next.length === 0) return next
    found = next
  }
  return found
}

function take(step: PathStep, value: unknown, into: unknown[]): void {
  switch (step.is) {
    case 'fields':
      if (isObject(value)) for (const name of step.names) if (Object.hasOwn(value, name)) into.push(value[name])
      return
    case 'items':
      if (Array.isArray(value)) {
        for (const index of step.indexes) {
          const at = index < 0 ? value.length + index : index
          if (at >= 0 && at < value.length) into.push(value[at])
        }
      }
      return
    case 'slice':
      if (Array.isArray(value)) for (const item of value.slice(step.from, step.to)) into.push(item)
      return
    case 'all':
      if (Array.isArray(value)) for (const item of value) into.push(item)
      else if (isObject(value)) for (const key of Object.keys(value)) into.push(value[key])
      return
    case 'deep':
      descend(value, into)
      return
    case 'where':
      if (Array.isArray(value)) for (const item of value) if (holds(step, item)) into.push(item)
      return
    default:
      step satisfies never
  }
}

/** The value and everything inside it. */
function descend(value: unknown, into: unknown[]): void {
  if (into.length >= most) return
  into.push(value)
  if (Array.isArray(value)) for (const item of value) descend(item, into)
  else if (isObject(value)) for (const key of Object.keys(value)) descend(value[key], into)
}

function holds(step: Extract<PathStep, { is: 'where' }>, item: unknown): boolean {
  const left = walk(step.path, item)
  if (step.than === undefined) return left.length > 0
  const right = 'literal' in step.than ? [step.than.literal] : walk(step.than.path, item)
  if (left.length === 0 || right.length === 0) return false
  const [a, b] = [left[0], right[0]]
  if (step.compare === '==') return a === b
  if (step.compare === '!=') return a !== b
  if ((typeof a !== 'number' || typeof b !== 'number') && (typeof a !== 'string' || typeof b !== 'string')) return false
  return step.compare === '<' ? a < b : step.compare === '<=' ? a <= b : step.compare === '>' ? a > b : a >= b
}
