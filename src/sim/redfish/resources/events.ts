import type { SimBmc } from '../bmc.ts'
import { done, type Extra } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { fixed, healthy, members } from './shape.ts'

/** Subscriptions are kept and shown; nothing is ever sent. */
export const events: Extra = kit => {
  const { at } = kit
  const service = `${at.root}/EventService`
  const path = `${service}/Subscriptions`
  fixed(kit, service, 'EventService.v1_10_0.EventService', 'Event Service', {
    ServiceEnabled: true,
    DeliveryRetryAttempts: 3,
    DeliveryRetryIntervalSeconds: 60,
    EventFormatTypes: ['Event'],
    RegistryPrefixes: ['Base'],
    Subscriptions: at.to(path),
    Status: healthy,
  })
  const ids = (bmc: SimBmc): readonly string[] => (bmc.subscriptions ?? []).map(({ Id }) => String(Id))
  kit.node(path, {
    read: bmc => members(kit, path, 'EventDestinationCollection', 'Subscriptions', ids(bmc)),
    post(bmc, call) {
      const body = call.body()
      if (typeof body['Destination'] !== 'string') throw new Refusal(400, 'PropertyMissing', ['Destination'])
      if (bmc.subscriptions?.some(one => one['Destination'] === body['Destination']))
        throw new Refusal(400, 'ResourceAlreadyExists', ['EventDestination', 'Destination', body['Destination']])
      const id = String((bmc.subscriptions?.length ?? 0) + 1)
      bmc.subscriptions = [
        ...(bmc.subscriptions ?? []),
        {
          '@odata.id': at.spell(`${path}/${id}`),
          '@odata.type': '#EventDestination.v1_13_0.EventDestination',
          Id: id,
          Name: `Subscription ${id}`,
          Destination: body['Destination'],
          Protocol: body['Protocol'] ?? 'Redfish',
          Context: body['Context'] ?? '',
        },
      ]
      return { status: 201, headers: { location: at.spell(`${path}/${id}`) } }
    },
  })
  kit.family(`${path}/*`, (bmc, id) => {
    const found = bmc.subscriptions?.find(one => one['Id'] === id)
    if (!found) return undefined
    return {
      read: () => found,
      remove() {
        bmc.subscriptions = bmc.subscriptions?.filter(one => one !== found)
        return done
      },
    }
  })
}
