import { type BmcAddress, readBmcAddress } from '../../../policy/metal3/bmc-address.ts'
import { rebootOf } from '../../../policy/metal3/reboot.ts'
import type { HostOrder } from '../../../ports/provisioner.ts'
import type { BareMetalHost } from '../resources.ts'

/** What an engine needs to know of a host; undefined where it has no controller that could be asked. */
export function orderOf({ metadata, spec, status }: BareMetalHost): HostOrder | undefined {
  const address = spec?.bmc === undefined ? undefined : readBmcAddress(spec.bmc.address)
  if (!spec || !address || 'because' in address) return undefined
  const installing = ['provisioning', 'available', 'ready'].includes(status?.provisioning?.state ?? '')
  const image = installing ? spec.image : status?.provisioning?.image
  const reboot = rebootOf(metadata.annotations ?? {})
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    address: address satisfies BmcAddress,
    systemUUID: status?.systemUUID,
    inspection: spec.inspectionMode === 'fast' ? 'fast' : 'agent',
    cleaning: spec.automatedCleaningMode,
    image: image && {
      url: image.url,
      ...(image.format === undefined ? {} : { format: image.format }),
      ...(image.checksum === undefined ? {} : { checksum: image.checksum }),
    },
    customDeploy: installing ? spec.customDeploy?.method : status?.provisioning?.customDeploy?.method,
    raid: (spec.raid?.hardwareRAIDVolumes ?? spec.raid?.softwareRAIDVolumes) !== undefined,
    off: reboot?.mode ?? 'soft',
    neverOff: spec.disablePowerOff ?? false,
  }
}
