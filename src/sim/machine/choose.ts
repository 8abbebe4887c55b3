import { takes } from '../misbehaviour/switches.ts'
import { biosValue, disarmed, type Machine } from './machine.ts'
import type { BootKind } from './world.ts'

export interface Attempt {
  readonly from: BootKind
  readonly by: 'override' | 'order' | 'next'
  readonly uri?: string
}

const kinds: Readonly<Record<string, BootKind>> = {
  Pxe: 'Pxe',
  UefiHttp: 'UefiHttp',
  Hdd: 'Hdd',
  Cd: 'Cd',
  UsbCd: 'Cd',
  UefiShell: 'UefiShell',
  BiosSetup: 'BiosSetup',
}

/**
 * The moment at which firmware picks boot sources, and therefore the one at which an override for one boot is used up,
 * whether or not what it names can be booted.
 */
export function chooseBoot(machine: Machine): readonly Attempt[] {
  const chosen = [...overridden(machine), ...byNext(machine)]
  return [...chosen, ...byOrder(machine)]
}

function overridden(machine: Machine): readonly Attempt[] {
  const { armed } = machine
  if (armed.lasts === 'Disabled') return []
  if (armed.lasts === 'Once' && !takes(machine, 'once-not-consumed')) machine.armed = { ...disarmed, mode: armed.mode }
  if (takes(machine, 'override-not-honoured')) return []
  if (armed.target === 'UefiTarget') return byEntry(machine, entry => entry.path === armed.uefiTarget, 'override')
  const from = kinds[armed.target]
  if (from === undefined) return []
  if (from === 'Cd' && armed.target !== (machine.model.cdTarget ?? 'Cd')) return []
  return [{ from, by: 'override', ...(from === 'UefiHttp' ? uriOf(machine, armed.uri) : {}) }]
}

function byNext(machine: Machine): readonly Attempt[] {
  const next = machine.bootNext
  if (next === undefined) return []
  machine.bootNext = undefined
  return byEntry(machine, entry => entry.reference === next, 'next')
}

const byOrder = (machine: Machine): readonly Attempt[] =>
  (machine.order ?? machine.model.bootOrder).flatMap(reference => byEntry(machine, entry => entry.reference === reference, 'order'))

function byEntry(
  machine: Machine,
  wanted: (entry: Machine['model']['bootEntries'][number]) => boolean,
  by: Attempt['by'],
): readonly Attempt[] {
  return machine.model.bootEntries
    .filter(wanted)
    .map(({ kind }) => ({ from: kind, by, ...(kind === 'UefiHttp' ? uriOf(machine, machine.armed.uri) : {}) }))
}

function uriOf(machine: Machine, given: string | null): { readonly uri?: string } {
  const attribute = machine.model.httpUriAttribute
  const uri = given ?? (attribute === undefined ? undefined : biosValue(machine, attribute))
  return typeof uri === 'string' && uri !== '' ? { uri } : {}
}
