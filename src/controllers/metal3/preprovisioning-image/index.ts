import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { images, optionalHosts, type PreprovisioningImage } from '../resources.ts'
import { decide, type Verb } from './decide.ts'
import type { Memory } from './kept.ts'
import { finalizer, type ImagePorts, observe } from './observe.ts'
import type { Seen } from './seen.ts'

/** Builds the images from which hosts are inspected, installed and cleaned. */
export function preprovisioningImageController(ports: ImagePorts): Reconciler<PreprovisioningImage, Seen, Verb> {
  const memory: Memory = new Map()
  return {
    name: 'preprovisioning-image',
    kind: images,
    finalizer,
    // A host that goes changes what is waited for.
    watches: [wokenBy(optionalHosts, ({ metadata }) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }])],
    observe: (image, look) => observe(ports, memory, image, look),
    decide,
    perform: {
      drop: {
        async run(_, { object }) {
          const uid = object.metadata.uid ?? ''
          memory.delete(uid)
          ports.images.drop(uid)
          await ports.records.drop(uid)
        },
      },
    },
  }
}
