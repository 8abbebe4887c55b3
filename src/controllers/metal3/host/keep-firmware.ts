import { ApiError } from '../../../api/status.ts'
import type { ControllerKube, Performers } from '../../../ports/index.ts'
import { type BareMetalHost, firmwareComponents, firmwareSettings, updatePolicies } from '../resources.ts'
import type { Lack } from './firmware.ts'
import { ownedBy } from './owned-by.ts'
import type { Verb } from './seen.ts'

const resources = { HostFirmwareSettings: firmwareSettings, HostFirmwareComponents: firmwareComponents, HostUpdatePolicy: updatePolicies }

/** The objects about a host's firmware: its settings are made with it, and whatever somebody made before becomes its own. */
export const firmwarePerformers = (kube: ControllerKube): Pick<Performers<BareMetalHost, Verb>, 'keepFirmware'> => ({
  keepFirmware: { run: ({ lack }, { object, signal }) => (lack.found ? own(kube, lack, object, signal) : make(kube, object, signal)) },
})

async function make(kube: ControllerKube, host: BareMetalHost, signal: AbortSignal): Promise<void> {
  const { name, namespace = '' } = host.metadata
  const metadata = { name, namespace, ownerReferences: [ownedBy(host)] }
  const settings = { apiVersion: host.apiVersion, kind: 'HostFirmwareSettings', metadata, spec: { settings: {} } }
  try {
    await kube.create(firmwareSettings, settings, { signal })
  } catch (error) {
    // The cache shows it in a moment.
    if (!ApiError.is(error, 'AlreadyExists')) throw error
  }
}

async function own(kube: ControllerKube, { kind }: Lack, host: BareMetalHost, signal: AbortSignal): Promise<void> {
  const { name, namespace = '' } = host.metadata
  const of = resources[kind] as typeof firmwareSettings
  const found = await kube.fresh(of, { name, namespace }, signal)
  if (!found) return
  const { resourceVersion, uid, ownerReferences: owners = [] } = found.metadata
  const ownerReferences = [...owners.filter(({ kind: one }) => one !== 'BareMetalHost'), ownedBy(host)]
  await kube.patch(of, { name, namespace }, { merge: { metadata: { resourceVersion, uid, ownerReferences } } }, { signal })
}
