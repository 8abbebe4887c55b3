import { type Settings, type SettingValue, sameValue } from './settings-diff.ts'

/** One attribute as the machine's registry describes it. */
export interface SettingRule {
  readonly name: string
  readonly type: 'Enumeration' | 'String' | 'Integer' | 'Boolean' | 'Password'
  readonly readOnly: boolean
  readonly values?: readonly string[] | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly dependencies?: readonly SettingDependency[] | undefined
}

/** What other settings make of this one: read-only, hidden, grey, or another value. */
export interface SettingDependency {
  readonly when: readonly { readonly setting: string; readonly is: string; readonly value: SettingValue }[]
  readonly property: string
  readonly value: SettingValue
}

export interface SettingsCheck {
  /** The wanted values in the types that the machine takes. */
  readonly settings: Settings
  /** What cannot be set, and why; nothing may be sent while there is one. */
  readonly problems: readonly string[]
  /** What is good to know: settings that force others. */
  readonly notes: readonly string[]
}

/** Checks wishes before anything is sent. Without a registry the values that the machine shows tell names and types. */
export function checkSettings(wanted: Settings, registry: readonly SettingRule[] | undefined, current: Settings): SettingsCheck {
  const rules = new Map((registry ?? Object.entries(current).map(shown)).map(rule => [rule.name, rule]))
  const settings: Record<string, SettingValue> = {}
  const problems: string[] = []
  for (const name of Object.keys(wanted).sort()) {
    const rule = rules.get(name)
    const found = rule ? typed(rule, wanted[name]!) : unknownName(name, [...rules.keys()])
    if ('problem' in found) problems.push(found.problem)
    else settings[name] = found.value
  }
  const coming: Settings = { ...current, ...settings }
  const notes: string[] = []
  for (const name of Object.keys(settings)) {
    // What holds already needs no right to be changed.
    const stays = sameValue(settings[name], current[name])
    for (const dependency of rules.get(name)?.dependencies ?? []) {
      if (!dependency.when.every(({ setting, is, value }) => holds(coming[setting], is, value))) continue
      const because = dependency.when.map(({ setting }) => `${setting} is ${String(coming[setting])}`).join(' and ')
      if (isLock(dependency)) {
        if (!stays) problems.push(`${name} cannot be set while ${because}`)
      } else if (dependency.property === 'CurrentValue' && !sameValue(dependency.value, settings[name]))
        problems.push(`${name} becomes ${String(dependency.value)} while ${because}`)
      else notes.push(`${name} depends on ${dependency.when.map(({ setting }) => setting).join(', ')}`)
    }
  }
  return { settings, problems, notes }
}

const isLock = ({ property, value }: SettingDependency): boolean =>
  (property === 'ReadOnly' || property === 'GrayOut' || property === 'Hidden' || property === 'Immutable') && value === true

function holds(found: SettingValue | undefined, is: string, value: SettingValue): boolean {
  switch (is) {
    case 'EQU':
      return sameValue(found, value)
    case 'NEQ':
      return found !== undefined && !sameValue(found, value)
    case 'GTR':
      return Number(found) > Number(value)
    case 'GEQ':
      return Number(found) >= Number(value)
    case 'LSS':
      return Number(found) < Number(value)
    case 'LEQ':
      return Number(found) <= Number(value)
    default:
      return false
  }
}

const shown = ([name, value]: [string, SettingValue]): SettingRule => ({
  name,
  type: typeof value === 'boolean' ? 'Boolean' : typeof value === 'number' ? 'Integer' : 'String',
  readOnly: false,
})

type Typed = { readonly value: SettingValue } | { readonly problem: string }
const no = (problem: string): Typed => ({ problem })

function typed(rule: SettingRule, value: SettingValue): Typed {
  const { name } = rule
  const said = JSON.stringify(value)
  if (rule.readOnly) return no(`${name} is read-only`)
  if (rule.type === 'Password')
    return no(`${name} is a password: those are not set through here, since everybody who reads this object would know it`)
  if (value === null || typeof value === 'object') return no(`${name} must be a text, a number or a truth value, found ${said}`)
  if (rule.type === 'Boolean') {
    const word = String(value).trim().toLowerCase()
    return word === 'true' || word === 'false' ? { value: word === 'true' } : no(`${name} is true or false, found ${said}`)
  }
  if (rule.type === 'Integer') return wholeNumber(rule, value, said)
  const text = String(value)
  if (rule.type === 'Enumeration' && rule.values) {
    const found = rule.values.find(one => one === text || (typeof value === 'boolean' && one.toLowerCase() === text))
    return found === undefined ? no(`${name} is one of ${rule.values.join(', ')}, found ${said}`) : { value: found }
  }
  if (text.length < (rule.minLength ?? 0)) return no(`${name} has at least ${rule.minLength} characters, found ${text.length}`)
  if (text.length > (rule.maxLength ?? text.length)) return no(`${name} has at most ${rule.maxLength} characters, found ${text.length}`)
  return { value: text }
}

function wholeNumber({ name, minimum, maximum }: SettingRule, value: SettingValue, said: string): Typed {
  const text = String(value).trim()
  if (!/^-?\d{1,15}$/.test(text)) return no(`${name} is a whole number, found ${said}`)
  const number = Number(text)
  if (number < (minimum ?? number) || number > (maximum ?? number))
    return no(`${name} is between ${minimum ?? 'anything'} and ${maximum ?? 'anything'}, found ${said}`)
  return { value: number }
}

function unknownName(name: string, known: readonly string[]): Typed {
  const near = known.find(one => one.toLowerCase() === name.toLowerCase())
  return no(`this machine has no setting ${name}${near === undefined ? '' : `; it has ${near}`}`)
}
