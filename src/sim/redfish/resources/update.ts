import type { JsonObject } from '../../../core/json.ts'
import { firmwareVersion } from '../../machine/machine.ts'
import { isOn } from '../../misbehaviour/switches.ts'
import type { SimBmc } from '../bmc.ts'
import { readParts } from '../multipart.ts'
import { done, type Extra, type Kit, type Outcome } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { acceptedAs } from '../tasks.ts'
import { startUpdate, type UpdateOrder } from '../updating.ts'
import { healthy, members, shape } from './shape.ts'

/** Firmware: which versions run, and how to bring others. */
export const update: Extra = kit => {
  const { make, at } = kit
  const { update: offer } = make
  const path = `${at.root}/UpdateService`
  const body = shape(kit, path, 'UpdateService.v1_12_0.UpdateService', 'Update Service', common(kit, path))
  kit.node(path, { read: () => body, patch: () => done })
  if (offer.simpleUpdate) kit.node(offer.simpleUpdate, { action: true, post: simpleUpdate })
  if (offer.multipart)
    kit.node(offer.multipart, {
      action: true,
      async post(bmc, call) {
        const order = readParts(call)
        if (!offer.twoPhases) return begin(bmc, order)
        bmc.upload = order
        return { status: 202, body: { Accepted: 'The image was uploaded; StartUpdate uses it.' } }
      },
    })
  if (offer.push)
    kit.node(offer.push, {
      action: true,
      post: (bmc, call) => begin(bmc, { name: 'upload', bytes: call.raw ?? new Uint8Array(), targets: [] }),
    })
  if (offer.twoPhases)
    kit.node(`${path}/Actions/UpdateService.StartUpdate`, {
      action: true,
      post(bmc) {
        const { upload } = bmc
        if (!upload) throw new Refusal(400, 'OperationNotAllowed')
        bmc.upload = undefined
        return begin(bmc, upload)
      },
    })
  inventory(kit, `${path}/FirmwareInventory`)
}

function common({ make, at }: Kit, path: string): JsonObject {
  const { update: offer } = make
  return {
    ServiceEnabled: true,
    Status: healthy,
    FirmwareInventory: at.to(`${path}/FirmwareInventory`),
    MaxImageSizeBytes: 536_870_912,
    ...(offer.multipart === undefined ? {} : { MultipartHttpPushUri: offer.multipart }),
    ...(offer.push === undefined ? {} : { HttpPushUri: offer.push }),
    Actions: {
      ...(offer.simpleUpdate === undefined
        ? {}
        : {
            '#UpdateService.SimpleUpdate': {
              target: at.spell(offer.simpleUpdate),
              'TransferProtocol@Redfish.AllowableValues': ['HTTP', 'HTTPS'],
              ...(offer.applyTimes ? { '@Redfish.OperationApplyTimeSupport': { SupportedValues: offer.applyTimes } } : {}),
            },
          }),
      ...(offer.twoPhases ? { '#UpdateService.StartUpdate': { target: at.spell(`${path}/Actions/UpdateService.StartUpdate`) } } : {}),
    },
  }
}

function simpleUpdate(bmc: SimBmc, call: { body(): JsonObject }): Promise<Outcome> {
  const { ImageURI, Targets } = call.body()
  if (typeof ImageURI !== 'string') throw new Refusal(400, 'ActionParameterMissing', ['UpdateService.SimpleUpdate', 'ImageURI'])
  if (!URL.canParse(ImageURI)) throw new Refusal(400, 'ActionParameterValueNotInList', [ImageURI, 'ImageURI', 'UpdateService.SimpleUpdate'])
  const targets = Array.isArray(Targets) ? Targets.map(String) : []
  return begin(bmc, { name: ImageURI, url: ImageURI, targets })
}

async function begin(bmc: SimBmc, order: UpdateOrder): Promise<Outcome> {
  return acceptedAs(bmc, startUpdate(bmc, order))
}

function inventory(kit: Kit, path: string): void {
  const { make } = kit
  const renamed = (bmc: SimBmc): boolean => isOn(bmc.machine, 'members-renamed') !== undefined && bmc.machine.firmware !== undefined
  const idsOf = (bmc: SimBmc): readonly string[] => {
    const ids = make.machine.firmware.map(({ id }) => (renamed(bmc) ? `${id}-1` : id))
    const suffix = make.update.pendingSuffix
    const waiting = suffix === undefined ? [] : Object.keys(bmc.machine.staged ?? {}).map(id => id + suffix)
    return [...ids, ...waiting]
  }
  kit.node(path, { read: bmc => members(kit, path, 'SoftwareInventoryCollection', 'Firmware Inventory', idsOf(bmc)) })
  kit.family(`${path}/*`, (bmc, id) => {
    if (!idsOf(bmc).includes(id)) return undefined
    const suffix = make.update.pendingSuffix
    const waiting = suffix !== undefined && id.endsWith(suffix)
    const base = waiting ? id.slice(0, -suffix.length) : renamed(bmc) ? id.slice(0, -2) : id
    const part = make.machine.firmware.find(one => one.id === base)
    if (!part) return undefined
    return {
      read: () =>
        shape(kit, `${path}/${id}`, 'SoftwareInventory.v1_10_0.SoftwareInventory', part.name, {
          Version: (waiting ? bmc.machine.staged?.[base] : firmwareVersion(bmc.machine, base)) ?? part.version,
          Updateable: true,
          SoftwareId: part.id,
          Manufacturer: part.manufacturer ?? make.manufacturer,
          Staged: waiting,
          Status: healthy,
        }),
    }
  })
}
