import type { Json, JsonObject } from '../../../core/json.ts'
import type { Medium } from '../../machine/machine.ts'
import { isOn, takes } from '../../misbehaviour/switches.ts'
import type { MediaSlotOffer } from '../../personalities/personality.ts'
import type { SimBmc } from '../bmc.ts'
import { done, type Extra, type Kit, type Node } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { collection, shape } from './shape.ts'

/** Virtual media under Systems, Managers or both: two addresses of one drive. */
export const media: Extra = kit => {
  const { make, at } = kit
  for (const under of make.media.under) {
    const path = `${under === 'Systems' ? at.system : at.manager}/VirtualMedia`
    const slots = under === 'Systems' ? (make.media.systemSlots ?? make.media.slots) : make.media.slots
    collection(
      kit,
      path,
      'VirtualMediaCollection',
      'Virtual Media',
      slots.map(({ id }) => id),
    )
    slots.forEach((slot, n) => {
      addSlot(kit, `${path}/${slot.id}`, slot, driveOf(kit, slot, n))
    })
  }
}

/** Slots with the same place in both lists are the same drive. */
const driveOf = ({ make }: Kit, slot: MediaSlotOffer, n: number): string => make.media.slots[n]?.id ?? slot.id

function addSlot(kit: Kit, path: string, slot: MediaSlotOffer, drive: string): void {
  const { at, make } = kit
  const insert = `${path}/Actions/VirtualMedia.InsertMedia`
  const eject = `${path}/Actions/VirtualMedia.EjectMedia`
  const body = shape(kit, path, 'VirtualMedia.v1_6_0.VirtualMedia', slot.name, { MediaTypes: slot.types, UserName: null, Password: null })
  const read = (bmc: SimBmc): JsonObject => {
    const medium = bmc.machine.media?.[drive]
    const actions = {
      '#VirtualMedia.InsertMedia': { target: at.spell(insert) },
      ...(medium || !make.media.ejectAppears ? { '#VirtualMedia.EjectMedia': { target: at.spell(eject) } } : {}),
    }
    return { ...body, ...shown(bmc, medium), ...(slot.insert === 'action' ? { Actions: actions } : {}) }
  }
  const patch: Node = slot.insert === 'patch' ? { patch: (bmc, call) => patched(bmc, drive, slot, call.body()) } : {}
  kit.node(path, { read, ...patch })
  if (slot.insert !== 'action') return
  kit.node(insert, {
    action: true,
    post(bmc, call) {
      insertMedium(bmc, drive, slot, call.body())
      return done
    },
  })
  kit.node(eject, {
    action: true,
    post(bmc) {
      if (make.media.ejectAppears && !bmc.machine.media?.[drive]) throw new Refusal(404, 'ActionNotSupported', ['VirtualMedia.EjectMedia'])
      ejectMedium(bmc, drive)
      return done
    },
  })
}

function shown({ machine, make }: SimBmc, medium: Medium | undefined): JsonObject {
  const image = make.personality.media.hidesImage ? undefined : medium?.image
  const inserted = medium !== undefined
  const lies = isOn(machine, 'inserted-lies') !== undefined && takes(machine, 'inserted-lies') !== undefined
  return {
    Image: image ?? null,
    ImageName: image?.split('/').at(-1) ?? null,
    Inserted: lies ? !inserted : inserted,
    ConnectedVia: inserted ? 'URI' : 'NotConnected',
    WriteProtected: medium?.writeProtected ?? null,
    TransferMethod: medium?.method ?? null,
    TransferProtocolType: medium ? new URL(medium.image).protocol.replace(':', '').toUpperCase() : null,
  }
}

const parameters = [
  'Image',
  'Inserted',
  'WriteProtected',
  'TransferMethod',
  'TransferProtocolType',
  'UserName',
  'Password',
  'VerifyCertificate',
]

function insertMedium(bmc: SimBmc, drive: string, slot: MediaSlotOffer, body: JsonObject): void {
  const { media: offer } = bmc.make.personality
  const action = 'VirtualMedia.InsertMedia'
  for (const name of Object.keys(body))
    if (!parameters.includes(name) || offer.refuses?.includes(name)) throw new Refusal(400, 'ActionParameterNotSupported', [name, action])
  for (const name of offer.needs ?? []) if (body[name] === undefined) throw new Refusal(400, 'ActionParameterMissing', [action, name])
  for (const [name, value] of Object.entries(offer.mustBe ?? {}))
    if (body[name] !== undefined && body[name] !== value)
      throw new Refusal(400, 'ActionParameterValueNotInList', [String(body[name]), name, action])
  if (bmc.machine.media?.[drive]) throw new Refusal(400, 'ResourceInUse')
  place(bmc, drive, slot, body['Image'], body)
}

function patched(bmc: SimBmc, drive: string, slot: MediaSlotOffer, body: JsonObject): { readonly status: number } {
  const image = body['Image']
  if (image === undefined && body['Inserted'] !== false) throw new Refusal(400, 'PropertyMissing', ['Image'])
  if (image === null || image === '' || body['Inserted'] === false) ejectMedium(bmc, drive)
  else place(bmc, drive, slot, image, body)
  return done
}

function place(bmc: SimBmc, drive: string, slot: MediaSlotOffer, image: Json | undefined, body: JsonObject): void {
  const { schemes } = bmc.make.personality.media
  if (typeof image !== 'string' || !URL.canParse(image))
    throw new Refusal(400, 'ActionParameterMissing', ['VirtualMedia.InsertMedia', 'Image'])
  const scheme = new URL(image).protocol.replace(':', '')
  if (!schemes.includes(scheme)) throw new Refusal(400, 'ActionParameterValueNotInList', [image, 'Image', 'VirtualMedia.InsertMedia'])
  if (slot.types.length === 0) throw new Refusal(405, 'OperationNotAllowed')
  bmc.machine.media = {
    ...bmc.machine.media,
    [drive]: { image, writeProtected: body['WriteProtected'] !== false, method: String(body['TransferMethod'] ?? 'Stream') },
  }
}

const slowly = 30_000

function ejectMedium({ machine, site }: SimBmc, drive: string): void {
  const medium = machine.media?.[drive]
  if (!medium) return
  const remove = (): void => {
    const { [drive]: _, ...rest } = machine.media ?? {}
    machine.media = Object.keys(rest).length === 0 ? undefined : rest
  }
  if (takes(machine, 'slow-eject')) {
    machine.media = { ...machine.media, [drive]: { ...medium, leaving: true } }
    site.clock.after(slowly, remove)
  } else remove()
}
