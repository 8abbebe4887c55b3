import type { RuledHost } from '../../../policy/metal3/host-rules.ts'
import type { BareMetalHost } from '../resources.ts'

/** A host as the rules about one host see it. */
export function ruledBy({ metadata, spec, status }: BareMetalHost): RuledHost {
  const { image, raid, rootDeviceHints, bmc, bootMACAddress, bootMode, inspectionMode } = spec ?? {}
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(bmc?.address ? { bmcAddress: bmc.address } : {}),
    ...(bootMACAddress === undefined ? {} : { bootMACAddress }),
    ...(status?.bootMACAddress === undefined ? {} : { registeredMAC: status.bootMACAddress }),
    ...(inspectionMode === undefined ? {} : { inspectionMode }),
    ...(bootMode === undefined ? {} : { bootMode }),
    online: spec?.online ?? false,
    neverOff: spec?.disablePowerOff ?? false,
    external: spec?.externallyProvisioned ?? false,
    state: status?.provisioning?.state ?? '',
    annotations: metadata.annotations ?? {},
    interfaces: spec?.networkInterfaces ?? [],
    hasRootDeviceHints: rootDeviceHints !== undefined,
    ...(image ? { image } : {}),
    ...(rootDeviceHints?.deviceName === undefined ? {} : { rootDeviceName: rootDeviceHints.deviceName }),
    secrets: (['userData', 'networkData', 'metaData'] as const).map(field => ({ field, ...spec?.[field] })),
    usesFirmwareField: spec?.firmware !== undefined,
    ...(raid ? { raid: { hardware: raid.hardwareRAIDVolumes ?? [], software: raid.softwareRAIDVolumes ?? [] } } : {}),
  }
}
