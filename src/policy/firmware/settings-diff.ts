/** What a BIOS setting may be. BMCs show some as null. */
export type SettingValue = string | number | boolean | null
export type Settings = Readonly<Record<string, SettingValue>>

/** People write "true", true and "8", 8 for the same; a BMC shows one of them. */
const plain = (value: SettingValue): string => (value === null ? '' : typeof value === 'string' ? value.trim() : String(value))

const whole = /^-?\d{1,15}$/

export const sameValue = (a: SettingValue | undefined, b: SettingValue | undefined): boolean => {
  if (a === undefined || b === undefined) return a === b
  const [left, right] = [plain(a), plain(b)]
  if (left === right) return true
  // "08" is sent as 8 where the machine counts.
  if (typeof a !== typeof b && (typeof a === 'number' || typeof b === 'number') && whole.test(left) && whole.test(right))
    return Number(left) === Number(right)
  // Only where one is a truth value is the case of letters without meaning.
  return (typeof a === 'boolean' || typeof b === 'boolean') && left.toLowerCase() === right.toLowerCase()
}

/** The names whose values are not those wanted, in order; a setting that is not known differs. */
export const differingSettings = (wanted: Settings, found: Settings): readonly string[] =>
  Object.keys(wanted)
    .filter(name => !Object.hasOwn(found, name) || !sameValue(wanted[name], found[name]))
    .sort()

/** What is found of the settings that are named: nothing else belongs into a status. */
export const onlyNamed = (found: Settings, names: Settings): Settings =>
  Object.fromEntries(Object.entries(found).filter(([name]) => Object.hasOwn(names, name)))
