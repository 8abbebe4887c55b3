import { Fault } from '../../../core/fault.ts'
import type { Performers } from '../../../ports/index.ts'
import { type DataImage, dataImages, mediaFinalizer } from '../resources.ts'
import type { MediaPorts } from './observe.ts'
import type { Verb } from './seen.ts'

export const performers = ({ kube, engine }: MediaPorts): Performers<DataImage, Verb> => {
  const change = async ({ metadata }: DataImage, merge: object, signal: AbortSignal): Promise<void> => {
    const { name, namespace = '', resourceVersion, uid } = metadata
    await kube.patch(dataImages, { name, namespace }, { merge: { metadata: { resourceVersion, uid, ...merge } } }, { signal })
  }
  return {
    own: {
      run({ uid }, { object, signal }) {
        const { name, ownerReferences: owners = [] } = object.metadata
        const owner = { apiVersion: object.apiVersion, kind: 'BareMetalHost', name, uid }
        return change(object, { ownerReferences: [...owners.filter(({ kind }) => kind !== 'BareMetalHost'), owner] }, signal)
      },
    },
    hold: {
      run: (_, { object, signal }) => change(object, { finalizers: [...(object.metadata.finalizers ?? []), mediaFinalizer] }, signal),
    },
    letGo: {
      run: (_, { object, signal }) =>
        change(object, { finalizers: (object.metadata.finalizers ?? []).filter(finalizer => finalizer !== mediaFinalizer) }, signal),
    },
    insert: {
      destructive: true,
      run: ({ order, drive, url }, { signal }) => again(async () => engine.media?.insert(order, drive, url, signal)),
    },
    eject: { destructive: true, run: ({ order, drive }, { signal }) => again(async () => engine.media?.eject(order, drive, signal)) },
  }
}

/** A refusal is counted and told by what is decided next: it must not end the matter here. */
async function again(call: () => Promise<void>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, error.message, 'backoff', { cause: error })
  }
}
