import type { Of } from '../../api/kind.ts'
import { server } from '../../api/metal/server.ts'
import { bareMetalHost } from '../../api/metal3/bare-metal-host.ts'
import { dataImage } from '../../api/metal3/data-image.ts'
import { firmwareSchema } from '../../api/metal3/firmware-schema.ts'
import { hardwareData as hardwareDataKind } from '../../api/metal3/hardware-data.ts'
import { hostFirmwareComponents } from '../../api/metal3/host-firmware-components.ts'
import { hostFirmwareSettings } from '../../api/metal3/host-firmware-settings.ts'
import { hostUpdatePolicy } from '../../api/metal3/host-update-policy.ts'
import { preprovisioningImage } from '../../api/metal3/preprovisioning-image.ts'
import type { KubeObject } from '../../core/object.ts'
import { type ResourceRef, resourceOf } from '../../ports/index.ts'

export type BareMetalHost = Of<typeof bareMetalHost>
export type HardwareData = Of<typeof hardwareDataKind>
export type DataImage = Of<typeof dataImage>
export type PreprovisioningImage = Of<typeof preprovisioningImage>
export type HostFirmwareSettings = Of<typeof hostFirmwareSettings>
export type HostFirmwareComponents = Of<typeof hostFirmwareComponents>
export type FirmwareSchema = Of<typeof firmwareSchema>
export type HostUpdatePolicy = Of<typeof hostUpdatePolicy>

export type ServerOfMetal = Of<typeof server>

export const hosts = resourceOf(bareMetalHost)
export const hardwareData = resourceOf(hardwareDataKind)
export const dataImages = resourceOf(dataImage)
export const images = resourceOf(preprovisioningImage)
export const firmwareSettings = resourceOf(hostFirmwareSettings)
export const firmwareComponents = resourceOf(hostFirmwareComponents)
export const firmwareSchemas = resourceOf(firmwareSchema)
export const updatePolicies = resourceOf(hostUpdatePolicy)
/** Images are built where nobody has heard of hosts, too. */
export const optionalHosts = { ...hosts, optional: true as const }
/** Hosts work where there are no Servers, too. */
export const servers = { ...resourceOf(server), optional: true as const }
export const secrets: ResourceRef<KubeObject & { readonly data?: Readonly<Record<string, string>> }> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  namespaced: true,
}

/** Metal3's own: whoever takes a host over from it, or gives it back, finds the same. */
export const hostFinalizer = 'baremetalhost.metal3.io'
export const imageFinalizer = `${hostFinalizer}/preprovisioningImage`
/** Put by baremetal-operator on what belongs to a host; taken off with it. */
export const satelliteFinalizers = [`${hostFinalizer}/secret`, `${hostFinalizer}/hardwareData`, imageFinalizer] as const
/** On a DataImage from right before it is first put into a drive until it was seen taken out. */
export const mediaFinalizer = 'dataimage.metal3.io'
