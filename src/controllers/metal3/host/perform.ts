import { ApiError } from '../../../api/status.ts'
import type { Performers } from '../../../ports/index.ts'
import { type BareMetalHost, hardwareData, hosts } from '../resources.ts'
import { hardwareOf, inspectionMark } from './hardware.ts'
import type { HostPorts } from './observe.ts'
import type { Verb } from './seen.ts'

export const performers = ({ kube, engine }: HostPorts): Performers<BareMetalHost, Verb> => ({
  engine: { destructive: true, run: ({ order, step }, { signal }) => engine.perform(order, step, signal) },
  keepHardware: {
    async run({ inventory, began }, { object, signal }) {
      const { name, namespace = '', uid = '' } = object.metadata
      const owner = { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: true, blockOwnerDeletion: true }
      const metadata = { name, namespace, annotations: { [inspectionMark]: began }, ownerReferences: [owner] }
      const spec = { hardware: hardwareOf(inventory) }
      try {
        await kube.create(hardwareData, { apiVersion: object.apiVersion, kind: 'HardwareData', metadata, spec }, { signal })
      } catch (error) {
        if (!ApiError.is(error, 'AlreadyExists')) throw error
        await kube.patch(hardwareData, { name, namespace }, { merge: { metadata, spec } }, { signal })
      }
    },
  },
  takeAnnotation: {
    async run({ name: annotation }, { object, signal }) {
      const { name, namespace = '', resourceVersion, uid } = object.metadata
      await kube.patch(
        hosts,
        { name, namespace },
        { merge: { metadata: { resourceVersion, uid, annotations: { [annotation]: null } } } },
        { signal },
      )
    },
  },
  forget: { run: ({ order }) => engine.forget(order) },
})
