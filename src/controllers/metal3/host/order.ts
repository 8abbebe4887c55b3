import { type BmcAddress, readBmcAddress } from '../../../policy/metal3/bmc-address.ts'
import { raidToMake } from '../../../policy/metal3/raid.ts'
import { rebootOf } from '../../../policy/metal3/reboot.ts'
import type { FirmwareOrder, HostOrder } from '../../../ports/provisioner.ts'
import type { BareMetalHost } from '../resources.ts'
import type { HardwareDetails } from './seen.ts'

/** What an engine needs to know of a host; undefined where it has no controller that could be asked. */
export function orderOf(
  { metadata, spec, status }: BareMetalHost,
  hardware: HardwareDetails | undefined,
  firmware?: FirmwareOrder,
): HostOrder | undefined {
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
      ...(image.checksumType === undefined ? {} : { checksumType: image.checksumType }),
    },
    customDeploy: installing ? spec.customDeploy?.method : status?.provisioning?.customDeploy?.method,
    macs: macsOf(spec.bootMACAddress, hardware),
    addresses: [...new Set((hardware?.nics ?? []).flatMap(({ ip }) => ip?.toLowerCase() ?? []))],
    bootMode: spec.bootMode ?? 'UEFI',
    rootDeviceHints: spec.rootDeviceHints,
    raid: raidToMake(spec.raid, status?.provisioning?.raid, spec.rootDeviceHints !== undefined),
    ...(firmware === undefined ? {} : { firmware }),
    architecture: spec.architecture ?? hardware?.cpu?.arch ?? 'x86_64',
    off: reboot?.mode ?? 'soft',
    neverOff: spec.disablePowerOff ?? false,
  }
}

function macsOf(boot: string | undefined, hardware: HardwareDetails | undefined): readonly string[] {
  const found = [boot, ...(hardware?.nics ?? []).map(({ mac }) => mac)].flatMap(mac => mac?.toLowerCase() ?? [])
  return [...new Set(found)]
}
