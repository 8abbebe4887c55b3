import { Fault } from './fault.ts'
import { labelValue, qualifiedName } from './names.ts'
import { type SelectorToken, selectorTokens } from './selector-tokens.ts'

export type Operator = 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt'

export interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** Every requirement must hold; none means everything is selected. */
export type Selector = readonly Requirement[]

/** A LabelSelector as it stands in objects. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

const refuse = (text: string, found: string) =>
  new Fault('selector/malformed', `unable to parse label selector ${JSON.stringify(text)}: ${found}`, 'never')

/** Reads the text form of the API's `labelSelector` parameter. Throws Fault `selector/malformed`. */
export function parseSelector(text: string): Selector {
  const tokens = selectorTokens(text)
  const requirements: Requirement[] = []
  let at = 0
  const next = (): SelectorToken => tokens[at++] ?? { is: 'end', text: '' }
  const wrong = (token: SelectorToken, expected: string) =>
    refuse(text, `found ${token.is === 'end' ? 'the end' : `'${token.text}'`}, expected: ${expected}`)

  const parenthesised = (): string[] => {
    const open = next()
    if (open.text !== '(') throw wrong(open, "'('")
    const values: string[] = []
    for (let value = next(); ; value = next()) {
      if (value.is === 'word') values.push(value.text)
      else if (value.text === ',' || value.text === ')') values.push('')
      else throw wrong(value, "',', ')' or a value")
      const separator = value.is === 'word' ? next() : value
      if (separator.text === ')') return values
      if (separator.text !== ',') throw wrong(separator, "',' or ')'")
    }
  }
  const single = (): string => (tokens[at]?.is === 'word' ? next().text : '')

  if (tokens.length === 0) return []
  for (;;) {
    const first = next()
    const absent = first.text === '!'
    const key = absent ? next() : first
    if (key.is !== 'word') throw wrong(key, absent ? 'a key' : "'!' or a key")
    const operator = tokens[at]?.text
    if (absent || operator === undefined || operator === ',')
      requirements.push({ key: key.text, operator: absent ? 'absent' : 'exists', values: [] })
    else requirements.push(compared(key.text, next()))
    const end = next()
    if (end.is === 'end') break
    if (end.text !== ',') throw wrong(end, "',' or the end")
  }
  for (const requirement of requirements) {
    const found = faultOf(requirement)
    if (found) throw refuse(text, found)
  }
  return requirements

  function compared(key: string, token: SelectorToken): Requirement {
    switch (token.text) {
      case '=':
      case '==':
        return { key, operator: 'in', values: [single()] }
      case '!=':
        return { key, operator: 'notin', values: [single()] }
      case '>':
        return { key, operator: 'gt', values: [single()] }
      case '<':
        return { key, operator: 'lt', values: [single()] }
      case 'in':
      case 'notin':
        return { key, operator: token.text, values: parenthesised() }
      default:
        throw wrong(token, "'=', '==', '!=', 'in', 'notin', '>' or '<'")
    }
  }
}

const operators: Readonly<Record<string, Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
  Gt: 'gt',
  Lt: 'lt',
}

/** Reads the object form. An empty one selects everything; what a missing one means is the caller's to say. Throws Fault `selector/malformed`. */
export function selectorOf(selector: LabelSelector): Selector {
  const requirements: Requirement[] = []
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) requirements.push({ key, operator: 'in', values: [value] })
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (!known) throw refuse(key, `"${operator}" is not a valid label selector operator (${Object.keys(operators).join(', ')})`)
    requirements.push({ key, operator: known, values })
  }
  for (const requirement of requirements) {
    const found = faultOf(requirement)
    if (found) throw refuse(requirement.key, found)
  }
  return requirements
}

function faultOf({ key, operator, values }: Requirement): string | undefined {
  const wrongKey = qualifiedName(key)
  if (wrongKey) return `key: Invalid value: ${JSON.stringify(key)}: ${wrongKey}`
  if (operator === 'exists' || operator === 'absent') {
    return values.length > 0 ? `values set must be empty for exists and does not exist, key ${key}` : undefined
  }
  if (values.length === 0) return `for 'in', 'notin' operators, values set can't be empty, key ${key}`
  for (const value of values) {
    if ((operator === 'gt' || operator === 'lt') && !whole.test(value)) {
      return `for 'Gt', 'Lt' operators, the value must be an integer, found ${JSON.stringify(value)}, key ${key}`
    }
    const wrong = labelValue(value)
    if (wrong) return `values[${values.indexOf(value)}][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`
  }
  return undefined
}

export function selects(selector: Selector, labels: Readonly<Record<string, string>> | undefined): boolean {
  for (const { key, operator, values } of selector) {
    const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
    const holds =
      operator === 'exists'
        ? value !== undefined
        : operator === 'absent'
          ? value === undefined
          : operator === 'in'
            ? value !== undefined && values.includes(value)
            : operator === 'notin'
              ? value === undefined || !values.includes(value)
              : value !== undefined && ordered(operator, value, values[0]!)
    if (!holds) return false
  }
  return true
}

const whole = /^\d{1,18}$/

function ordered(operator: 'gt' | 'lt', value: string, than: string): boolean {
  if (!whole.test(value)) return false
  return operator === 'gt' ? BigInt(value) > BigInt(than) : BigInt(value) < BigInt(than)
}
