import { overrideAnnotation } from '../../../policy/host-image/gate.ts'
import type { ControllerKube, Performers } from '../../../ports/index.ts'
import type { BareMetalHost } from '../../metal3/resources.ts'
import { agents, assistedHosts, assistedImages } from '../resources.ts'
import type { Mark, Verb } from './seen.ts'

/** Each object is written at most once, and only while it is as it was seen. */
export const performers = (kube: ControllerKube): Performers<BareMetalHost, Verb> => {
  const fence = ({ uid, resourceVersion }: Mark) => ({ uid, resourceVersion })
  return {
    change: {
      async run({ merge }, { object, signal }) {
        const { name, namespace = '', uid, resourceVersion } = object.metadata
        const { metadata = {}, ...rest } = merge as { readonly metadata?: object }
        await kube.patch(
          assistedHosts,
          { name, namespace },
          { merge: { ...rest, metadata: { ...metadata, uid, resourceVersion } } },
          { signal },
        )
      },
    },
    point: {
      async run({ image, uri }, { object, signal }) {
        const key = { name: image.name, namespace: object.metadata.namespace ?? '' }
        const metadata = { ...fence(image), annotations: { [overrideAnnotation]: uri } }
        await kube.patch(assistedImages, key, { merge: { metadata } }, { signal })
      },
    },
    tell: {
      async run({ agent, patch: { labels, spec } }, { object, signal }) {
        const key = { name: agent.name, namespace: object.metadata.namespace ?? '' }
        await kube.patch(agents, key, { merge: { metadata: { ...fence(agent), labels }, spec } }, { signal })
      },
    },
  }
}
