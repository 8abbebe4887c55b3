import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { type Armed, biosValue, type Machine } from '../../machine/machine.ts'
import { takes } from '../../misbehaviour/switches.ts'
import type { Personality } from '../../personalities/personality.ts'
import type { SimBmc } from '../bmc.ts'
import { done, type Extra } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { collection, fixed, shape } from './shape.ts'

type Place = 'system' | 'settings'

/** The Boot object as the System, or its settings object, shows it. */
export function bootOf(bmc: SimBmc, place: Place): JsonObject {
  const { machine, make } = bmc
  const { personality, at } = make
  const { boot } = personality
  const { armed } = machine
  const listed = place === 'settings' || boot.settings?.listsTargets !== true
  return {
    BootSourceOverrideEnabled: armed.lasts,
    BootSourceOverrideTarget: armed.target,
    BootSourceOverrideMode: armed.mode === 'UEFI' ? boot.mode : armed.mode,
    ...(listed ? { 'BootSourceOverrideTarget@Redfish.AllowableValues': targetsOf(machine, personality) } : {}),
    ...(listed && boot.listsLasts ? { 'BootSourceOverrideEnabled@Redfish.AllowableValues': boot.lasts } : {}),
    ...(boot.targets.includes('UefiTarget') ? { UefiTargetBootSourceOverride: armed.uefiTarget } : {}),
    ...(boot.httpBootUri ? { HttpBootUri: armed.uri } : {}),
    ...(boot.bootNext ? { BootNext: machine.bootNext ?? null } : {}),
    BootOptions: at.to(`${at.system}/BootOptions`),
    BootOrder: machine.order ?? machine.model.bootOrder,
  }
}

function targetsOf(machine: Machine, { boot }: Personality): readonly string[] {
  const needs = boot.targetNeeds
  if (!needs || biosValue(machine, needs.attribute) === needs.value) return boot.targets
  return boot.targets.filter(target => target !== needs.target)
}

const names = [
  'BootSourceOverrideEnabled',
  'BootSourceOverrideTarget',
  'BootSourceOverrideMode',
  'UefiTargetBootSourceOverride',
  'HttpBootUri',
  'BootNext',
  'BootOrder',
] as const

/** Changes the override, the order, or both; either all of it or nothing. */
export function patchBoot(bmc: SimBmc, wanted: Json | undefined, place: Place): void {
  const { boot } = bmc.make.personality
  if (!isObject(wanted)) throw new Refusal(400, 'PropertyValueTypeError', [JSON.stringify(wanted), 'Boot'])
  const given = Object.keys(wanted).filter(name => !name.includes('@'))
  for (const name of given) if (!isOffered(boot, name)) throw new Refusal(400, 'PropertyUnknown', [name], { related: [`#/Boot/${name}`] })
  const order = given.includes('BootOrder')
  const override = given.some(name => name !== 'BootOrder')
  const takesHere = boot.settings?.takes
  if (override) mustBelong(place, takesHere === 'override' || takesHere === 'both', 'BootSourceOverrideTarget')
  if (order) mustBelong(place, takesHere === 'order' || takesHere === 'both', 'BootOrder')
  for (const name of override ? (boot.needs ?? []) : [])
    if (!given.includes(name)) throw new Refusal(400, 'PropertyMissing', [name], { related: [`#/Boot/${name}`] })
  const next = override ? armedAs(bmc, wanted as JsonObject) : undefined
  const changed = order ? orderAs(bmc, (wanted as JsonObject)['BootOrder']) : undefined
  const bootNext = (wanted as JsonObject)['BootNext']
  if (next && !takes(bmc.machine, 'override-reverts')) bmc.machine.armed = next
  if (changed) bmc.machine.order = changed
  if (bootNext !== undefined) bmc.machine.bootNext = typeof bootNext === 'string' && bootNext !== '' ? bootNext : undefined
}

/** Where there is a settings object for it, the System refuses it, and the other way round. */
function mustBelong(place: Place, inSettings: boolean, name: string): void {
  if ((place === 'settings') !== inSettings) throw new Refusal(400, 'PropertyNotWritable', [name], { related: [`#/Boot/${name}`] })
}

function isOffered(boot: Personality['boot'], name: string): boolean {
  if (name === 'HttpBootUri') return boot.httpBootUri === true
  if (name === 'BootNext') return boot.bootNext === true
  if (name === 'UefiTargetBootSourceOverride') return boot.targets.includes('UefiTarget')
  return (names as readonly string[]).includes(name)
}

function armedAs(bmc: SimBmc, wanted: JsonObject): Armed {
  const { machine, make } = bmc
  const { boot } = make.personality
  const before = machine.armed
  const target = text(wanted, 'BootSourceOverrideTarget', before.target)
  const lasts = text(wanted, 'BootSourceOverrideEnabled', before.lasts)
  const mode = text(wanted, 'BootSourceOverrideMode', before.mode ?? 'UEFI')
  oneOf(target, targetsOf(machine, make.personality), 'BootSourceOverrideTarget')
  if (boot.refusesNone && wanted['BootSourceOverrideTarget'] === 'None')
    throw new Refusal(400, 'PropertyValueNotInList', ['None', 'BootSourceOverrideTarget'])
  oneOf(lasts, boot.lasts, 'BootSourceOverrideEnabled')
  oneOf(mode, ['UEFI', 'Legacy'], 'BootSourceOverrideMode')
  if (lasts === 'Continuous' && takes(machine, 'persistent-unsupported'))
    throw new Refusal(400, 'PropertyValueNotInList', ['Continuous', 'BootSourceOverrideEnabled'])
  return {
    target: lasts === 'Disabled' && wanted['BootSourceOverrideTarget'] === undefined ? 'None' : becomes(machine, target),
    lasts: lasts as Armed['lasts'],
    mode: mode as 'UEFI',
    uri: nullable(wanted, 'HttpBootUri', before.uri),
    uefiTarget: nullable(wanted, 'UefiTargetBootSourceOverride', before.uefiTarget),
  }
}

const becomes = (machine: Machine, target: string): string =>
  target === 'UefiHttp' && takes(machine, 'uefihttp-becomes-pxe') ? 'Pxe' : target

function orderAs(bmc: SimBmc, wanted: Json | undefined): readonly string[] {
  const { boot, machine } = bmc.make.personality
  if (!boot.orderWritable) throw new Refusal(400, 'PropertyNotWritable', ['BootOrder'], { related: ['#/Boot/BootOrder'] })
  const known = machine.bootEntries.map(({ reference }) => reference)
  if (!Array.isArray(wanted) || !wanted.every(one => typeof one === 'string' && known.includes(one)))
    throw new Refusal(400, 'PropertyValueNotInList', [JSON.stringify(wanted), 'BootOrder'], { related: ['#/Boot/BootOrder'] })
  return wanted as readonly string[]
}

function text(wanted: JsonObject, name: string, otherwise: string): string {
  const value = wanted[name]
  if (value === undefined) return otherwise
  if (typeof value !== 'string') throw new Refusal(400, 'PropertyValueTypeError', [JSON.stringify(value), name])
  return value
}

function nullable(wanted: JsonObject, name: string, otherwise: string | null): string | null {
  const value = wanted[name]
  if (value === undefined) return otherwise
  if (value !== null && typeof value !== 'string') throw new Refusal(400, 'PropertyValueTypeError', [JSON.stringify(value), name])
  return value === '' ? null : value
}

function oneOf(value: string, allowed: readonly string[], name: string): void {
  if (!allowed.includes(value)) throw new Refusal(400, 'PropertyValueNotInList', [value, name], { related: [`#/Boot/${name}`] })
}

/** Boot options, and the settings object of the System where the make has one. */
export const bootResources: Extra = kit => {
  const { make, at } = kit
  const options = `${at.system}/BootOptions`
  const entries = make.machine.bootEntries
  collection(
    kit,
    options,
    'BootOptionCollection',
    'Boot Options',
    entries.map(({ reference }) => reference),
  )
  for (const { reference, name, path } of entries)
    fixed(kit, `${options}/${reference}`, 'BootOption.v1_0_4.BootOption', 'Boot Option', {
      BootOptionReference: reference,
      DisplayName: name,
      BootOptionEnabled: true,
      ...(path === undefined ? {} : { UefiDevicePath: path }),
    })
  const { settings } = make.boot
  if (!settings) return
  const path = `${at.system}/${settings.name}`
  const body = shape(kit, path, 'ComputerSystem.v1_20_0.ComputerSystem', 'Pending settings', {})
  kit.node(path, {
    read: bmc => ({ ...body, Boot: bootOf(bmc, 'settings') }),
    patch(bmc, call) {
      patchBoot(bmc, call.body()['Boot'], 'settings')
      return done
    },
  })
}
