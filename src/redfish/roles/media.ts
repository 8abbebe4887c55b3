import { Fault } from '../../core/fault.ts'
import type { Media, MediaSlot } from '../../ports/bmc.ts'
import { actionTarget, followable, idOf, linkTo, samePath } from '../transport/link.ts'
import { field, flag, known, part, type Resource, text, texts } from '../transport/read.ts'
import type { Machine } from './machine.ts'
import { insertByAction, insertByChange } from './media-insert.ts'

const types: readonly MediaSlot['types'][number][] = ['CD', 'DVD', 'Floppy', 'USBStick']

/** Undefined where neither the system nor its manager has virtual media. */
export function mediaRole(machine: Machine): Media | undefined {
  const { service, system, manager, habits } = machine
  const places: string[] = []
  for (const place of [linkTo(system, 'VirtualMedia'), linkTo(manager, 'VirtualMedia')])
    if (place !== undefined && !places.some(other => samePath(other, place))) places.push(place)
  if (places.length === 0) return undefined

  const read = async (slot: string, signal?: AbortSignal): Promise<Resource> => service.get(followable(slot), signal)
  return {
    async slots(signal) {
      const found: MediaSlot[] = []
      for (const place of places)
        for (const resource of await service.members(place, 1, signal)) {
          const slot = slotOf(resource)
          if (slot && (slot.by === 'action' || habits.slotsByChange)) found.push(slot)
        }
      return found
    },
    async insert(slot, iso, signal) {
      const now = await read(slot, signal)
      if (occupied(now)) {
        if (text(now, 'Image') === iso && flag(now, 'Inserted') !== false) return
        await eject(machine, now, signal)
        if (occupied(await read(slot, signal))) throw ejecting(machine, slot)
      }
      const target = actionTarget(now, '#VirtualMedia.InsertMedia')
      if (target === undefined) await insertByChange(service, slot, iso, signal)
      else await insertByAction(service, target, iso, signal)
    },
    async eject(slot, signal) {
      const now = await read(slot, signal)
      if (occupied(now)) await eject(machine, now, signal)
    },
  }
}

export function slotOf(resource: Resource): MediaSlot | undefined {
  const id = idOf(resource)
  if (id === undefined) return undefined
  return known<MediaSlot>({
    id,
    types: texts(resource, 'MediaTypes').map(type => types.find(one => one === type) ?? 'Other'),
    inserted: occupied(resource),
    image: text(resource, 'Image'),
    by: part(resource, 'Actions', '#VirtualMedia.InsertMedia') === undefined ? 'change' : 'action',
  })
}

const occupied = (slot: Resource): boolean => flag(slot, 'Inserted') === true || text(slot, 'Image') !== undefined

async function eject({ service }: Machine, slot: Resource, signal?: AbortSignal): Promise<void> {
  const target = actionTarget(slot, '#VirtualMedia.EjectMedia')
  if (target !== undefined) {
    await service.post(target, {}, signal)
    return
  }
  const id = idOf(slot)
  if (id === undefined || part(slot, 'Actions', '#VirtualMedia.InsertMedia') !== undefined)
    throw new Fault(
      'bmc/not-offered',
      `Cannot eject from ${String(field(slot, 'Id'))} of the BMC at ${service.name}: it offers no way`,
      'backoff',
    )
  await service.patch(id, { Image: null, Inserted: false }, signal)
}

const ejecting = ({ service }: Machine, slot: string): Fault =>
  new Fault('bmc/busy', `Cannot insert into ${slot} of the BMC at ${service.name}: the last image is still being ejected`)
