import { checkSettings, type SettingRule } from '../firmware/settings-check.ts'
import { differingSettings, type Settings } from '../firmware/settings-diff.ts'

/** Everybody who may read the object would know it. */
const isSecret = (name: string): boolean => /password/i.test(name)

/** What may be shown of a machine's settings: texts, as Metal3 has them, and no passwords. */
export function shownSettings(found: Settings, registry: readonly SettingRule[] | undefined): Readonly<Record<string, string>> {
  const secrets = new Set((registry ?? []).filter(({ type }) => type === 'Password').map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(found)
      .filter(([name]) => !isSecret(name) && !secrets.has(name))
      .map(([name, value]) => [name, value === null ? '' : String(value)]),
  )
}

export interface JudgedSettings {
  readonly problems: readonly string[]
  /** What is not as it is wanted. */
  readonly differing: readonly string[]
}

/** What of the wanted settings cannot be, and what is not so; undefined is what a machine does not show. */
export function judgeSettings(wanted: Settings, found: Settings | undefined, registry: readonly SettingRule[] | undefined): JudgedSettings {
  const names = Object.keys(wanted)
  if (names.length === 0) return { problems: [], differing: [] }
  if (!found) return { problems: ['its management controller shows no BIOS settings'], differing: names.toSorted() }
  const secret = names.filter(isSecret).map(name => `${name} is a password: those are not set through here`)
  const open = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSecret(name)))
  return { problems: [...secret, ...checkSettings(open, registry, found).problems], differing: differingSettings(wanted, found) }
}
