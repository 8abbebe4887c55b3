import { ApiError } from '../../../api/status.ts'
import type { Performers } from '../../../ports/index.ts'
import { ownedBy } from '../host/owned-by.ts'
import { firmwareComponents, firmwareSchemas, type HostFirmwareSettings, hosts } from '../resources.ts'
import type { SettingsPorts } from './observe.ts'
import type { Verb } from './seen.ts'

const unlessThere = (error: unknown): void => {
  // The cache shows it in a moment.
  if (!ApiError.is(error, 'AlreadyExists')) throw error
}

export const performers = ({ kube }: SettingsPorts): Performers<HostFirmwareSettings, Verb> => ({
  keepSchema: {
    async run({ schema: { name, namespace, spec } }, { object, signal }) {
      const { apiVersion, kind, metadata } = object
      const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '' }
      const found = await kube.fresh(firmwareSchemas, { name, namespace }, signal)
      if (!found) {
        const made = { apiVersion, kind: 'FirmwareSchema', metadata: { name, namespace, ownerReferences: [owner] }, spec }
        await kube.create(firmwareSchemas, made, { signal }).catch(unlessThere)
        return
      }
      const { resourceVersion, uid, ownerReferences: owners = [] } = found.metadata
      if (owners.some(one => one.uid === owner.uid)) return
      const merge = { metadata: { resourceVersion, uid, ownerReferences: [...owners, owner] } }
      await kube.patch(firmwareSchemas, { name, namespace }, { merge }, { signal })
    },
  },
  makeComponents: {
    async run(_, { object, signal }) {
      const { name, namespace = '' } = object.metadata
      const host = kube.cached.get(hosts, { name, namespace })
      if (!host) return
      const metadata = { name, namespace, ownerReferences: [ownedBy(host)] }
      const made = { apiVersion: object.apiVersion, kind: 'HostFirmwareComponents', metadata, spec: { updates: [] } }
      await kube.create(firmwareComponents, made, { signal }).catch(unlessThere)
    },
  },
})
