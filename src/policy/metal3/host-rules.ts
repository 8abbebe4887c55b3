import { type BmcAddress, readBmcAddress } from './bmc-address.ts'

/** What of a host the rules are about. */
export interface RuledHost {
  readonly name: string
  readonly namespace: string
  readonly bmcAddress?: string
  readonly bootMACAddress?: string
  readonly inspectionMode?: string
  readonly image?: { readonly url: string; readonly checksum?: string; readonly format?: string }
  readonly rootDeviceName?: string
  readonly secrets: readonly { readonly field: string; readonly namespace?: string }[]
  readonly usesFirmwareField: boolean
  readonly raid?: {
    readonly hardware: readonly {
      readonly numberOfPhysicalDisks?: number
      readonly physicalDisks?: readonly string[]
      readonly controller?: string
    }[]
    readonly software: readonly { readonly level: string }[]
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const schemes = ['http:', 'https:', 'oci:']

/** Everything that is wrong with a host by itself, in words; what depends on others is not decided here. */
export function hostProblems(host: RuledHost): readonly string[] {
  const address = host.bmcAddress === undefined ? undefined : readBmcAddress(host.bmcAddress)
  return [
    ...(uuid.test(host.name) ? ['its name is a UUID, which would be taken for an id'] : []),
    ...(address && 'because' in address ? [address.because] : []),
    ...(host.inspectionMode === 'disabled' && host.bmcAddress !== undefined && !host.bootMACAddress
      ? ['without an inspection, bootMACAddress must say which interface it boots from']
      : []),
    ...(address && !('because' in address) ? driverProblems(host, address) : []),
    ...host.secrets
      .filter(({ namespace }) => namespace !== undefined && namespace !== '' && namespace !== host.namespace)
      .map(({ field }) => `${field} names a Secret of another namespace`),
    ...(host.usesFirmwareField ? ['firmware is not applied: use HostFirmwareSettings'] : []),
    ...(host.rootDeviceName !== undefined && !host.rootDeviceName.startsWith('/dev/')
      ? ['rootDeviceHints.deviceName must begin with /dev/']
      : []),
    ...imageProblems(host),
    ...raidProblems(host),
  ]
}

const driverProblems = ({ bootMACAddress }: RuledHost, { scheme }: BmcAddress): readonly string[] =>
  scheme === 'libvirt' && !bootMACAddress ? ['a libvirt host must say its bootMACAddress'] : []

function imageProblems({ image }: RuledHost): readonly string[] {
  if (!image) return []
  const scheme = /^([a-z][a-z0-9+.-]*:)\/\//i.exec(image.url)?.[1]?.toLowerCase()
  if (scheme === undefined || !schemes.includes(scheme)) return [`image.url must begin with ${schemes.map(one => `${one}//`).join(', ')}`]
  const isChecked = image.format !== 'live-iso' && scheme !== 'oci:'
  if (isChecked && !image.checksum) return ['image.checksum is missing']
  if (!isChecked && image.checksum) return [`image.checksum has no meaning for ${scheme === 'oci:' ? 'an OCI image' : 'a live-iso'}`]
  return []
}

function raidProblems({ raid }: RuledHost): readonly string[] {
  if (!raid) return []
  const { hardware, software } = raid
  if (hardware.length > 0 && software.length > 0) return ['raid has volumes of the hardware and of the system; only one kind can be']
  return [
    ...(software.length > 0 && software[0]!.level !== '1' ? ['the first softwareRAIDVolume must be of level 1'] : []),
    ...hardware.flatMap(({ numberOfPhysicalDisks: count, physicalDisks, controller }) => [
      ...(physicalDisks && controller === undefined ? ['a hardwareRAIDVolume that names disks must name their controller'] : []),
      ...(physicalDisks && count !== undefined && physicalDisks.length !== count
        ? [`a hardwareRAIDVolume names ${physicalDisks.length} disks and says that it has ${count}`]
        : []),
    ]),
  ]
}
