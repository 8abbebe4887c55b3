import type { BootTarget } from '../../ports/bmc.ts'
import { field, part, type Resource, text, texts } from '../transport/read.ts'
import type { Machine } from './machine.ts'

/** Where the machine wants to be told what to boot, and what it takes there. */
export interface BootPlace {
  readonly path: string
  /** The other place to try where this one turns out to be for reading only. */
  readonly other?: string
  /** Spelled as on offer. */
  readonly targets: readonly string[]
  readonly lasts: readonly string[]
  readonly hasMode: boolean
  readonly takesUri: boolean
  readonly takesBootNext: boolean
}

const allowedTargets = 'BootSourceOverrideTarget@Redfish.AllowableValues'

/** What a service that does not say takes, as far as every machine has it. */
const usual = ['None', 'Pxe', 'Hdd', 'Cd', 'BiosSetup']

/**
 * Most services take overrides on the System itself; AMI, and OpenBMC on NVIDIA boards, only on its settings object, and show it by listing
 * the allowed values there and not on the System.
 */
export function overridePlace({ system, systemPath, settings, settingsPath }: Machine): BootPlace {
  const own = part(system, 'Boot')
  const later = part(settings, 'Boot')
  const offers = (boot: Resource | undefined): boolean => texts(boot, allowedTargets).length > 0
  const inSettings =
    settingsPath !== undefined &&
    later !== undefined &&
    !offers(own) &&
    (offers(later) || field(later, 'BootSourceOverrideTarget') !== undefined)
  const boots = inSettings ? [later, own] : [own, later]
  const first = (read: (boot: Resource | undefined) => readonly string[]): readonly string[] =>
    boots.map(read).find(found => found.length > 0) ?? []
  const has = (name: string): boolean => boots.some(boot => field(boot, name) !== undefined)
  const told = first(boot => texts(boot, allowedTargets))
  return {
    path: inSettings ? settingsPath : systemPath,
    ...(inSettings ? { other: systemPath } : settingsPath === undefined ? {} : { other: settingsPath }),
    targets: told.length > 0 ? told : has('BootSourceOverrideTarget') ? usual : [],
    lasts: first(boot => texts(boot, 'BootSourceOverrideEnabled@Redfish.AllowableValues')),
    hasMode: has('BootSourceOverrideMode'),
    takesUri: has('HttpBootUri'),
    takesBootNext: has('BootNext') && told.includes('UefiBootNext'),
  }
}

/** The boot order may be written at another place than the override (newer iDRACs, Lenovo). */
export function orderPlace({ system, systemPath, settings, settingsPath }: Machine): string | undefined {
  if (settingsPath !== undefined && Array.isArray(field(part(settings, 'Boot'), 'BootOrder'))) return settingsPath
  return Array.isArray(field(part(system, 'Boot'), 'BootOrder')) ? systemPath : undefined
}

const names: Readonly<Record<string, BootTarget | 'None'>> = {
  None: 'None',
  Pxe: 'Pxe',
  UefiHttp: 'UefiHttp',
  Hdd: 'Hdd',
  Cd: 'Cd',
  UsbCd: 'Cd',
  UefiShell: 'UefiShell',
  BiosSetup: 'BiosSetup',
}

export const targetNamed = (raw: string): BootTarget | 'None' | 'Other' => (Object.hasOwn(names, raw) ? (names[raw] ?? 'Other') : 'Other')

/** The name under which a target is on offer, if it is. */
export const offeredName = (place: BootPlace, target: BootTarget, cd: readonly string[]): string | undefined =>
  (target === 'Cd' ? cd : [target]).find(name => place.targets.includes(name))

export const targetOf = (boot: Resource | undefined): string => text(boot, 'BootSourceOverrideTarget') ?? 'None'
