import { ApiError } from '../../../api/status.ts'
import type { ControllerKube, Performers } from '../../../ports/index.ts'
import { type BareMetalHost, imageFinalizer, images } from '../resources.ts'
import { ownedBy } from './owned-by.ts'
import type { Verb } from './seen.ts'

type ImageVerbs = Pick<Performers<BareMetalHost, Verb>, 'makeImage' | 'dropImage'>

/** The PreprovisioningImage of a host: asked for while it boots a ramdisk, held so long, and taken away when that is over. */
export const imagePerformers = (kube: ControllerKube): ImageVerbs => ({
  makeImage: {
    async run({ image }, { object, signal }) {
      const { name, namespace = '' } = object.metadata
      const { spec, labels, object: found } = image
      if (found) {
        const { resourceVersion, uid } = found.metadata
        const unsaid = spec.networkDataName === undefined ? { networkDataName: null } : {}
        // Its labels are the host's; what the host has lost, it loses, too.
        const lost = Object.fromEntries(Object.keys(found.metadata.labels ?? {}).map(label => [label, labels[label] ?? null]))
        const metadata = { resourceVersion, uid, labels: { ...lost, ...labels } }
        await kube.patch(images, { name, namespace }, { merge: { metadata, spec: { ...spec, ...unsaid } } }, { signal })
        return
      }
      const metadata = { name, namespace, labels, finalizers: [imageFinalizer], ownerReferences: [ownedBy(object)] }
      try {
        await kube.create(images, { apiVersion: object.apiVersion, kind: 'PreprovisioningImage', metadata, spec }, { signal })
      } catch (error) {
        // The cache shows it in a moment.
        if (!ApiError.is(error, 'AlreadyExists')) throw error
      }
    },
  },
  dropImage: {
    async run({ image }, { signal }) {
      const { name, namespace = '', uid } = image.metadata
      const gone = (error: unknown): void => {
        if (!ApiError.is(error, 'NotFound')) throw error
      }
      if (image.metadata.deletionTimestamp === undefined)
        await kube.delete(images, { name, namespace }, { signal, ...(uid === undefined ? {} : { uid }) }).catch(gone)
      const found = await kube.fresh(images, { name, namespace }, signal)
      if (!found || found.metadata.uid !== uid || !found.metadata.finalizers?.includes(imageFinalizer)) return
      const finalizers = found.metadata.finalizers.filter(finalizer => finalizer !== imageFinalizer)
      const { resourceVersion } = found.metadata
      await kube.patch(images, { name, namespace }, { merge: { metadata: { resourceVersion, uid, finalizers } } }, { signal }).catch(gone)
    },
  },
})
