import { differingSettings } from '../../../policy/firmware/settings-diff.ts'
import { compareVersions } from '../../../policy/firmware/version-order.ts'
import { type ServerBIOS, serverBioses } from '../resources.ts'
import type { Difference, Subject } from '../target/subject.ts'

export const bios: Subject<ServerBIOS> = {
  kind: 'ServerBIOS',
  controller: 'server-bios',
  prefix: 'sbios',
  resource: serverBioses,
  backRef: 'biosRef',
  scan: 'bios-scan',
  isKnown: ({ status }) => status?.bios !== undefined,
  differences,
  surplus({ spec, status }) {
    const gone = Object.keys(status?.bios?.settings ?? {}).filter(name => !Object.hasOwn(spec.bios.settings, name))
    return gone.length === 0 ? {} : { bios: { settings: Object.fromEntries(gone.map(name => [name, null])) } }
  },
}

/** The version comes first: another BIOS may have other settings. */
function differences({ spec, status }: ServerBIOS): readonly Difference[] {
  const { version, settings } = spec.bios
  const found = status?.bios
  if (version !== undefined && (found?.version === undefined || compareVersions(found.version, version) !== 'same')) {
    const text = `BIOS ${found?.version ?? 'of unknown version'} runs, ${version} is wanted`
    return [{ program: 'bios-version-update', reason: 'VersionDiffers', text }]
  }
  const names = differingSettings(settings, found?.settings ?? {})
  if (names.length === 0) return []
  const shown = names.slice(0, 5).map(name => `${name} is ${told(found?.settings?.[name])}, ${told(settings[name])} is wanted`)
  const more = names.length > 5 ? `, and ${names.length - 5} more` : ''
  return [{ program: 'bios-settings-update', reason: 'SettingsDiffer', text: `${shown.join('; ')}${more}` }]
}

const told = (value: unknown): string => (value === undefined ? 'not known' : String(value))
