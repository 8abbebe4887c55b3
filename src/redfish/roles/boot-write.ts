import type { BootOption } from '../../ports/bmc.ts'
import { type Resource, text } from '../transport/read.ts'
import { isRefusal } from '../transport/refusal.ts'
import type { Service } from '../transport/service.ts'
import type { BootPlace } from './boot-place.ts'
import type { Habits } from './machine.ts'

interface Wanted {
  readonly name: string | undefined
  readonly option: BootOption | undefined
  readonly lasts: 'Once' | 'Continuous'
  readonly uri: string | undefined
  /** The Boot object as it is. */
  readonly shown: Resource
}

/** The fields to send; undefined where the machine is armed so already. */
export function change(
  place: BootPlace,
  { name, option, lasts, uri, shown }: Wanted,
  mode: Habits['bootMode'],
): Record<string, unknown> | undefined {
  const target = name ?? (place.takesBootNext ? 'UefiBootNext' : 'UefiTarget')
  const which: Record<string, unknown> =
    option === undefined ? {} : place.takesBootNext ? { BootNext: option.reference } : { UefiTargetBootSourceOverride: option.path }
  const more = { ...which, ...(uri === undefined ? {} : { HttpBootUri: uri }) }
  const legacy = text(shown, 'BootSourceOverrideMode') === 'Legacy'
  const armed = text(shown, 'BootSourceOverrideEnabled') === lasts && text(shown, 'BootSourceOverrideTarget') === target
  if (armed && !legacy && Object.entries(more).every(([field, value]) => text(shown, field) === value)) return undefined
  return { BootSourceOverrideEnabled: lasts, BootSourceOverrideTarget: target, ...more, ...modeToSend(place, shown, mode) }
}

/** What takes an override back. `None` goes along only where everything always has to: HPE refuses it. */
export const disarmed = (place: BootPlace, shown: Resource, mode: Habits['bootMode']): Record<string, unknown> => ({
  BootSourceOverrideEnabled: 'Disabled',
  ...(mode === 'always' ? { BootSourceOverrideTarget: 'None' } : {}),
  ...modeToSend(place, shown, mode),
})

/** Dell starts a job of minutes for a mode that does not change; others refuse the change without it. */
function modeToSend(place: BootPlace, shown: Resource, mode: Habits['bootMode']): { readonly BootSourceOverrideMode?: 'UEFI' } {
  const now = text(shown, 'BootSourceOverrideMode')
  const send = mode === 'always' || (place.hasMode && (mode === 'where-offered' || now !== 'UEFI'))
  return send ? { BootSourceOverrideMode: 'UEFI' } : {}
}

/** Writes, with the documented second tries: with all three fields (AMI), without the mode (HPE Gen9), at the other place (iDRAC10 shows Boot on the System for reading only). */
export async function writeOverride(
  service: Service,
  place: BootPlace,
  fields: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<void> {
  const write = async (path: string, boot: object): Promise<void> => {
    await service.patch(path, { Boot: boot }, signal)
  }
  try {
    await write(place.path, fields)
  } catch (error) {
    if (!isRefusal(error, 'bmc/refused', 'bmc/not-offered')) throw error
    if (error.says('PropertyMissing', 'CreateFailedMissingReqProperties'))
      return write(place.path, { BootSourceOverrideTarget: 'None', BootSourceOverrideMode: 'UEFI', ...fields })
    const { BootSourceOverrideMode, ...fewer } = fields
    const modeAlone = error.says('PropertyNotWritable', 'PropertyUnknown', 'UnsupportedOperation', 'PropertyValueConflict')
    if (BootSourceOverrideMode !== undefined && (modeAlone || place.other === undefined)) return write(place.path, fewer)
    if (place.other !== undefined) return write(place.other, fields)
    throw error
  }
}
