import { ApiError } from '../../../api/status.ts'
import { Fault } from '../../../core/fault.ts'
import type { ControllerKube, Performers } from '../../../ports/index.ts'
import { type BareMetalHost, hardwareData, hosts } from '../resources.ts'
import { hardwareOf, inspectionMark } from './hardware.ts'
import { firmwarePerformers } from './keep-firmware.ts'
import { imagePerformers } from './keep-image.ts'
import type { HostPorts } from './observe.ts'
import { ownedBy } from './owned-by.ts'
import { freeSatellites } from './satellites.ts'
import type { HardwareDetails, Verb } from './seen.ts'

export const performers = ({ kube, engine }: HostPorts): Performers<BareMetalHost, Verb> => ({
  ...imagePerformers(kube),
  ...firmwarePerformers(kube),
  engine: {
    destructive: true,
    async run({ order, step }, { signal }) {
      try {
        await engine.perform(order, step, signal)
      } catch (error) {
        // A machine that refuses may do it the next time; how often it is asked the engine says, and then tells it on the host.
        if (!(error instanceof Fault) || error.retry === 'backoff') throw error
        throw new Fault(error.code, error.message, 'backoff', { cause: error, ...(error.hint === undefined ? {} : { hint: error.hint }) })
      }
    },
  },
  keepHardware: {
    run: ({ inventory, began }, { object, signal }) =>
      keepHardware(kube, object, { [inspectionMark]: began }, hardwareOf(inventory), signal),
  },
  keepTold: { run: ({ hardware }, { object, signal }) => keepHardware(kube, object, {}, hardware, signal) },
  freeSatellites: { run: (_, { object, signal }) => freeSatellites(kube, object, signal) },
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

/** One HardwareData for each host, of its name: made, or replaced as a whole. */
async function keepHardware(
  kube: ControllerKube,
  host: BareMetalHost,
  annotations: Readonly<Record<string, string>>,
  hardware: HardwareDetails,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace = '' } = host.metadata
  const metadata = { name, namespace, annotations, ownerReferences: [ownedBy(host)] }
  // A field that nobody knows is refused rather than dropped without a word.
  const strict = { signal, fieldValidation: 'Strict' as const }
  try {
    await kube.create(hardwareData, { apiVersion: host.apiVersion, kind: 'HardwareData', metadata, spec: { hardware } }, strict)
  } catch (error) {
    if (!ApiError.is(error, 'AlreadyExists')) throw error
    const { annotations: before = {}, ownerReferences: owners = [] } =
      (await kube.fresh(hardwareData, { name, namespace }, signal))?.metadata ?? {}
    const ownerReferences = [...owners.filter(({ uid }) => uid !== host.metadata.uid), ownedBy(host)]
    await kube.patch(
      hardwareData,
      { name, namespace },
      {
        json: [
          { op: 'add', path: '/metadata/annotations', value: { ...before, ...annotations } },
          { op: 'add', path: '/metadata/ownerReferences', value: ownerReferences },
          { op: 'add', path: '/spec', value: { hardware } },
        ],
      },
      strict,
    )
  }
}
