import { Fault } from '../../core/fault.ts'
import type { Firmware, FirmwareComponent } from '../../ports/bmc.ts'
import { actionTarget, followable, idOf, linkTo } from '../transport/link.ts'
import { flag, known, list, part, type Resource, text, texts } from '../transport/read.ts'
import { isRefusal } from '../transport/refusal.ts'
import { isUnderWay, jobBehind } from '../transport/task.ts'
import { multipart } from './firmware-form.ts'
import type { Machine } from './machine.ts'

const pull = '#UpdateService.SimpleUpdate'

/** Undefined where there is no update service. */
export function firmwareRole(machine: Machine): Firmware | undefined {
  const { service, root } = machine
  const path = linkTo(root, 'UpdateService')
  if (path === undefined) return undefined
  const tasks = linkTo(root, 'Tasks')
  const updates = (signal?: AbortSignal): Promise<Resource> => service.get(path, signal)
  return {
    async components(signal) {
      const listed = await listedAt(service, inventoryIn(path), signal)
      const linked = listed === undefined ? linkTo(await updates(signal), 'FirmwareInventory') : undefined
      const members = listed ?? (linked === undefined ? [] : await service.members(linked, 1, signal))
      return members.map(componentOf).filter(component => component !== undefined)
    },
    async ways(signal) {
      const offer = await updates(signal)
      const found: ('update' | 'push')[] = []
      if (actionTarget(offer, pull) !== undefined) found.push('update')
      if (text(offer, 'MultipartHttpPushUri') !== undefined) found.push('push')
      return found
    },
    async update(image, targets, signal) {
      const offer = await updates(signal)
      const target = actionTarget(offer, pull)
      if (target === undefined) throw notOffered(machine, 'fetch firmware by itself')
      const action = part(offer, 'Actions', pull)
      const protocol = image.split(':', 1)[0]?.toUpperCase() ?? ''
      const protocols = texts(action, 'TransferProtocol@Redfish.AllowableValues')
      const body = {
        ImageURI: image,
        ...(protocols.length === 0 || protocols.includes(protocol) ? { TransferProtocol: protocol } : {}),
        ...(targets === undefined ? {} : { Targets: targets }),
        ...applyNow(action),
      }
      return (await service.post(target, body, signal)).task
    },
    async push(name, image, targets, signal) {
      const offer = await updates(signal)
      const door = text(offer, 'MultipartHttpPushUri')
      if (door === undefined) throw notOffered(machine, 'take firmware that is sent to it')
      const form = multipart({ Targets: targets ?? [], '@Redfish.OperationApplyTime': 'Immediate' }, name, image)
      return (await service.upload(followable(door), form.type, form.bytes, signal)).task
    },
    task: (address, signal) => service.task(followable(address), signal),
    async running(signal) {
      const all = tasks === undefined ? undefined : linkTo(await service.find(tasks, signal), 'Tasks')
      if (all === undefined) return []
      const found: string[] = []
      for (const task of await service.members(all, 1, signal)) {
        const id = idOf(task)
        if (id !== undefined && (isUnderWay(task) || (await jobIsUnderWay(service, task, signal)))) found.push(id)
      }
      return found
    },
  }
}

/** Where the standard has the list (DSP0268): one call less than by the link, which is followed where it is elsewhere. */
const inventoryIn = (path: string): string => (path.endsWith('/') ? `${path}FirmwareInventory/` : `${path}/FirmwareInventory`)

async function listedAt(service: Machine['service'], path: string, signal?: AbortSignal): Promise<readonly Resource[] | undefined> {
  try {
    return await service.members(path, 1, signal)
  } catch (error) {
    if (isRefusal(error, 'bmc/not-found', 'bmc/not-offered')) return undefined
    throw error
  }
}

/** Lenovo's tasks are over at once: the job that they name does the work. */
async function jobIsUnderWay(service: Machine['service'], task: Resource, signal?: AbortSignal): Promise<boolean> {
  const job = jobBehind(task)
  const found = job === undefined ? undefined : await service.find(job, signal)
  return found !== undefined && isUnderWay(found)
}

function componentOf(resource: Resource): FirmwareComponent | undefined {
  const id = text(resource, 'Id')
  if (id === undefined) return undefined
  return known<FirmwareComponent>({
    id,
    path: idOf(resource),
    name: text(resource, 'Name') ?? id,
    version: text(resource, 'Version') ?? '',
    manufacturer: text(resource, 'Manufacturer'),
    updateable: flag(resource, 'Updateable') ?? false,
  })
}

const applyNow = (action: Resource | undefined): object =>
  list(part(action, '@Redfish.OperationApplyTimeSupport'), 'SupportedValues').includes('Immediate')
    ? { '@Redfish.OperationApplyTime': 'Immediate' }
    : {}

const notOffered = ({ service }: Machine, what: string): Fault =>
  new Fault('bmc/not-offered', `Cannot update firmware through the BMC at ${service.name}: it does not ${what}`, 'when-changed')
