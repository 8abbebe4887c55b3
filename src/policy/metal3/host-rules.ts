import { annotationProblems } from './annotation-rules.ts'
import { type BmcAddress, readBmcAddress } from './bmc-address.ts'

/** What of a host the rules are about. */
export interface RuledHost {
  readonly name: string
  readonly namespace: string
  readonly bmcAddress?: string
  readonly bootMACAddress?: string
  /** As it was first said. */
  readonly registeredMAC?: string
  readonly online: boolean
  readonly neverOff: boolean
  readonly external: boolean
  /** Where it stands, as its status says. */
  readonly state: string
  readonly inspectionMode?: string
  readonly bootMode?: string
  readonly annotations: Readonly<Record<string, string>>
  readonly interfaces: readonly { readonly name?: string; readonly macAddress?: string }[]
  readonly hasRootDeviceHints: boolean
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
    readonly software: readonly { readonly level: string; readonly rootVolume?: boolean }[]
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const device = /^\/dev\/(disk\/by-path\/)?[^/]+$/
const hardwareAddress = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i
/** Where nobody can say any more that somebody else installed it. */
const busy = ['inspecting', 'match profile', 'preparing', 'provisioning', 'provisioned', 'deprovisioning']
/** Where it was installed, by whomever: nothing that is wanted of its boots is done there any more. */
const installed = ['provisioned', 'externally provisioned', 'deprovisioning', 'powering off before delete', 'deleting']
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
    ...(host.rootDeviceName !== undefined && !device.test(host.rootDeviceName)
      ? ['rootDeviceHints.deviceName must be a device under /dev/ or /dev/disk/by-path/']
      : []),
    ...macProblems(host),
    ...(host.neverOff && !host.online ? ['disablePowerOff and online: false contradict each other'] : []),
    ...(host.external && busy.includes(host.state)
      ? [`externallyProvisioned can be set while a host registers or is available, and this one is ${host.state}: take it back`]
      : []),
    ...bootModeProblems(host),
    ...imageProblems(host),
    ...raidProblems(host),
    ...interfaceProblems(host),
    ...annotationProblems(host.annotations, host.inspectionMode),
  ]
}

/** What a scheme that is not Redfish cannot do. */
const driverProblems = (host: RuledHost, { scheme }: BmcAddress): readonly string[] => [
  ...(scheme === 'libvirt' && !host.bootMACAddress ? ['a libvirt host must say its bootMACAddress'] : []),
  ...(scheme === 'libvirt' || scheme === 'ipmi'
    ? [
        ...(host.bootMode === 'UEFISecureBoot' ? [`bootMode UEFISecureBoot cannot be set over ${scheme}`] : []),
        ...(host.inspectionMode === 'fast'
          ? [`inspectionMode fast needs a controller that tells of its machine, which ${scheme} does not`]
          : []),
        ...(host.raid && host.raid.hardware.length > 0 ? [`hardwareRAIDVolumes cannot be made over ${scheme}`] : []),
      ]
    : []),
]

function macProblems({ bootMACAddress: is, registeredMAC: was }: RuledHost): readonly string[] {
  if (is !== undefined && !hardwareAddress.test(is)) return [`bootMACAddress ${is} is no hardware address`]
  return was !== undefined && is?.toLowerCase() !== was.toLowerCase()
    ? [`bootMACAddress was ${was} and cannot be changed: put it back, or delete the host and make it anew`]
    : []
}

/** What is not brought about is refused before anything is installed, so that no status claims it. */
const bootModeProblems = ({ bootMode, external, state }: RuledHost): readonly string[] =>
  bootMode === undefined || bootMode === 'UEFI' || external || installed.includes(state)
    ? []
    : [
        bootMode === 'UEFISecureBoot'
          ? 'bootMode UEFISecureBoot is not brought about: say UEFI, and switch Secure Boot on in its firmware or by HostFirmwareSettings where that has it'
          : `bootMode ${bootMode} is not brought about, machines are told to boot by UEFI: say UEFI, or install it by other means and say externallyProvisioned`,
      ]

function imageProblems({ image }: RuledHost): readonly string[] {
  if (!image) return []
  const scheme = /^([a-z][a-z0-9+.-]*:)\/\//i.exec(image.url)?.[1]?.toLowerCase()
  if (scheme === undefined || !schemes.includes(scheme)) return [`image.url must begin with ${schemes.map(one => `${one}//`).join(', ')}`]
  const isChecked = image.format !== 'live-iso' && scheme !== 'oci:'
  if (isChecked && !image.checksum) return ['image.checksum is missing']
  if (!isChecked && image.checksum) return [`image.checksum has no meaning for ${scheme === 'oci:' ? 'an OCI image' : 'a live-iso'}`]
  return []
}

function interfaceProblems({ interfaces }: RuledHost): readonly string[] {
  const names = interfaces.map(({ name, macAddress }) => (macAddress ?? name ?? '').toLowerCase())
  return [
    ...(interfaces.some(({ name, macAddress }) => (name === undefined) === (macAddress === undefined))
      ? ['each of networkInterfaces must have a name or a macAddress, and not both']
      : []),
    ...(new Set(names).size < names.length ? ['two of networkInterfaces are the same'] : []),
  ]
}

function raidProblems({ raid, hasRootDeviceHints }: RuledHost): readonly string[] {
  if (!raid) return []
  const { hardware, software } = raid
  if (hardware.length > 0 && software.length > 0) return ['raid has volumes of the hardware and of the system; only one kind can be']
  const roots = software.filter(({ rootVolume }) => rootVolume)
  return [
    ...(roots.length > 1 ? ['more than one softwareRAIDVolume is the rootVolume'] : []),
    ...(roots.length > 0 && hasRootDeviceHints ? ['a rootVolume and rootDeviceHints both say what is installed to'] : []),
    ...(roots.some(({ level }) => level !== '1') ? ['the rootVolume must be of level 1'] : []),
    ...(software.length > 0 && software[0]!.level !== '1' ? ['the first softwareRAIDVolume must be of level 1'] : []),
    ...hardware.flatMap(({ numberOfPhysicalDisks: count, physicalDisks, controller }) => [
      ...(physicalDisks && controller === undefined ? ['a hardwareRAIDVolume that names disks must name their controller'] : []),
      ...(physicalDisks && count !== undefined && physicalDisks.length !== count
        ? [`a hardwareRAIDVolume names ${physicalDisks.length} disks and says that it has ${count}`]
        : []),
    ]),
  ]
}
