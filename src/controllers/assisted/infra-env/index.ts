import type { Reconciler } from '../../../ports/index.ts'
import { type InfraEnv, infraEnvs } from '../resources.ts'
import { decide } from './decide.ts'
import { drop, finalizer, type InfraEnvPorts, observe } from './observe.ts'
import type { Seen, Verb } from './seen.ts'

/** Renders what the assisted agent of an InfraEnv is configured with, where no assisted service does. It is no replacement for one. */
export const infraEnvController = (ports: InfraEnvPorts): Reconciler<InfraEnv, Seen, Verb> => {
  const change = async ({ metadata }: InfraEnv, finalizers: readonly string[], signal: AbortSignal): Promise<void> => {
    const { name, namespace = '', uid, resourceVersion } = metadata
    await ports.kube.patch(infraEnvs, { name, namespace }, { merge: { metadata: { uid, resourceVersion, finalizers } } }, { signal })
  }
  return {
    name: 'infra-env',
    kind: infraEnvs,
    watches: [],
    observe: (object, { signal }) => observe(ports, object, signal),
    decide,
    // Its own finalizer, and only where something is served: one that belongs to an assisted service is not touched at all.
    perform: {
      hold: { run: (_, { object, signal }) => change(object, [...(object.metadata.finalizers ?? []), finalizer], signal) },
      drop: {
        async run(_, { object, signal }) {
          drop(ports, object.metadata.uid ?? '')
          await change(
            object,
            (object.metadata.finalizers ?? []).filter(one => one !== finalizer),
            signal,
          )
        },
      },
    },
  }
}
