import { freezeJson, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { BiosValue } from '../../../ports/bmc.ts'
import type { BiosEntry } from '../../personalities/personality.ts'
import type { SimBmc } from '../bmc.ts'
import type { Call } from '../call.ts'
import { messageOf } from '../messages.ts'
import { done, type Extra, type Outcome } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { acceptedAs, newTask } from '../tasks.ts'
import { shape } from './shape.ts'

/** BIOS settings: what is in force, what will be after the next reset, and what may be set. */
export const bios: Extra = kit => {
  const { make, at } = kit
  const { bios: offer } = make
  const path = `${at.system}/Bios`
  const pendingPath = `${path}/${offer.settings}`
  const current = shape(kit, path, 'Bios.v1_2_1.Bios', 'BIOS Configuration Current Settings', {
    AttributeRegistry: offer.registry,
    '@Redfish.Settings': {
      '@odata.type': '#Settings.v1_3_5.Settings',
      SettingsObject: at.to(pendingPath),
      ...(offer.applyTimes ? { SupportedApplyTimes: offer.applyTimes } : {}),
    },
    Actions: {
      '#Bios.ResetBios': { target: at.spell(`${path}/Actions/Bios.ResetBios`) },
      '#Bios.ChangePassword': { target: at.spell(`${path}/Actions/Bios.ChangePassword`) },
    },
  })
  kit.node(path, { read: bmc => ({ ...current, Attributes: inForce(bmc) }) })

  const pending = shape(kit, pendingPath, 'Bios.v1_2_1.Bios', 'BIOS Configuration Pending Settings', { AttributeRegistry: offer.registry })
  kit.node(pendingPath, {
    read(bmc) {
      const waiting = bmc.drafts ? { ...bmc.machine.biosPending, ...bmc.drafts } : bmc.machine.biosPending
      if (offer.shows === 'nothing-until-set') return waiting ? { ...pending, Attributes: waiting } : pending
      return { ...pending, Attributes: offer.shows === 'all' ? { ...inForce(bmc), ...waiting } : (waiting ?? {}) }
    },
    patch: patchPending,
  })
  kit.node(`${path}/Actions/Bios.ResetBios`, {
    action: true,
    post({ machine }) {
      machine.biosPending = { ...machine.model.bios }
      return done
    },
  })
  kit.node(`${path}/Actions/Bios.ChangePassword`, {
    action: true,
    post(_, call) {
      for (const name of ['PasswordName', 'OldPassword', 'NewPassword'])
        if (call.body()[name] === undefined) throw new Refusal(400, 'ActionParameterMissing', ['Bios.ChangePassword', name])
      return done
    },
  })
  const registry = freezeJson<JsonObject>({
    '@odata.id': offer.registryUri,
    '@odata.type': '#AttributeRegistry.v1_3_6.AttributeRegistry',
    Id: offer.registryFile,
    Name: 'BIOS Attribute Registry',
    Language: offer.language,
    RegistryVersion: '1.0.0',
    OwningEntity: make.manufacturer,
    RegistryEntries: { Attributes: offer.entries.map(entry => entryOf(entry, offer.resetRequired)), Dependencies: [], Menus: [] },
  })
  kit.node(offer.registryUri, { read: () => registry })
}

const inForce = ({ machine }: SimBmc): JsonObject => (machine.bios ? { ...machine.model.bios, ...machine.bios } : machine.model.bios)

function entryOf(entry: BiosEntry, resetRequired: boolean): JsonObject {
  return {
    AttributeName: entry.name,
    DisplayName: entry.name,
    Type: entry.type,
    DefaultValue: entry.value,
    CurrentValue: null,
    ReadOnly: entry.readOnly === true,
    Hidden: false,
    ...(resetRequired ? { ResetRequired: true } : {}),
    ...(entry.values ? { Value: entry.values.map(name => ({ ValueName: name, ValueDisplayName: name })) } : {}),
    ...(entry.minimum === undefined ? {} : { LowerBound: entry.minimum }),
    ...(entry.maximum === undefined ? {} : { UpperBound: entry.maximum }),
    ...(entry.maxLength === undefined ? {} : { MaxLength: entry.maxLength, MinLength: 0 }),
  }
}

function patchPending(bmc: SimBmc, call: Call): Outcome {
  const { bios: offer } = bmc.make.personality
  const body = call.body()
  const wanted = body['Attributes']
  if (!isObject(wanted)) throw new Refusal(400, 'PropertyMissing', ['Attributes'])
  const applyTime = body['@Redfish.SettingsApplyTime']
  if (isObject(applyTime) && !(offer.applyTimes ?? []).includes(String(applyTime['ApplyTime'])))
    throw new Refusal(400, 'PropertyValueNotInList', [String(applyTime['ApplyTime']), 'ApplyTime'])
  for (const [name, value] of Object.entries(wanted as JsonObject)) check(offer.entries, name, value)
  if (offer.asJob && bmc.tasks?.some(({ kind, state }) => kind === 'settings' && state === 'Pending'))
    throw new Refusal(400, 'ResourceInUse', [], { related: ['#/Attributes'] })
  const changes = wanted as Record<string, BiosValue>
  if (!offer.asJob) {
    bmc.machine.biosPending = { ...bmc.machine.biosPending, ...changes }
    return { status: 200, body: { '@Message.ExtendedInfo': [messageOf('Success', [])] } }
  }
  bmc.drafts = { ...bmc.drafts, ...changes }
  return applyTime === undefined ? { status: 200, body: { '@Message.ExtendedInfo': [messageOf('Success', [])] } } : makeJob(bmc)
}

/** Only a job carries settings to the next reset, and there is one at a time. */
export function makeJob(bmc: SimBmc): Outcome {
  bmc.machine.biosPending = { ...bmc.machine.biosPending, ...bmc.drafts }
  bmc.drafts = undefined
  return acceptedAs(bmc, newTask(bmc, { name: 'Configure BIOS', kind: 'settings', takes: 0, state: 'Pending' }))
}

function check(entries: readonly BiosEntry[], name: string, value: Json): void {
  const related = { related: [`#/Attributes/${name}`] }
  const entry = entries.find(one => one.name === name)
  if (!entry) throw new Refusal(400, 'PropertyUnknown', [name], related)
  if (entry.readOnly) throw new Refusal(400, 'PropertyNotWritable', [name], related)
  const shown = JSON.stringify(value)
  if (entry.type === 'Integer' || entry.type === 'Boolean') {
    if (typeof value !== (entry.type === 'Integer' ? 'number' : 'boolean'))
      throw new Refusal(400, 'PropertyValueTypeError', [shown, name], related)
  } else if (typeof value !== 'string') throw new Refusal(400, 'PropertyValueTypeError', [shown, name], related)
  if (entry.values && !entry.values.includes(String(value))) throw new Refusal(400, 'PropertyValueNotInList', [shown, name], related)
  if (typeof value === 'number' && ((entry.minimum ?? value) > value || (entry.maximum ?? value) < value))
    throw new Refusal(400, 'PropertyValueOutOfRange', [shown, name], related)
  if (typeof value === 'string' && value.length > (entry.maxLength ?? value.length))
    throw new Refusal(400, 'PropertyValueOutOfRange', [shown, name], related)
}
