import type { HardwareInventory } from '../../../ports/bmc.ts'
import type { HardwareData } from '../resources.ts'

/** Which inspection a HardwareData is of, so that an old one is not taken for the one that was asked for. */
export const inspectionMark = 'rackwright.dev/inspection'

const mebibyte = 1024 * 1024

/** What a management controller tells of a machine, in Metal3's words. */
export function hardwareOf(found: HardwareInventory): NonNullable<HardwareData['spec']['hardware']> {
  const [cpu] = found.processors
  const text = (value: string | undefined, as: string) => (value === undefined ? {} : { [as]: value })
  return {
    systemVendor: {
      ...text(found.manufacturer, 'manufacturer'),
      ...text(found.model, 'productName'),
      ...text(found.serial, 'serialNumber'),
    },
    firmware: { bios: { ...text(found.biosVersion, 'version'), ...text(found.biosVendor, 'vendor'), ...text(found.biosDate, 'date') } },
    ...text(found.hostname, 'hostname'),
    ...(found.memoryBytes === undefined ? {} : { ramMebibytes: Math.floor(found.memoryBytes / mebibyte) }),
    nics: found.nics.flatMap(nic =>
      (nic.addresses.length > 0 ? nic.addresses : [undefined]).map(ip => ({
        ...text(nic.name ?? nic.id, 'name'),
        ...text(nic.mac, 'mac'),
        ...text(ip, 'ip'),
        ...text(nic.model, 'model'),
        ...text(nic.pciAddress, 'pciAddress'),
        ...(nic.speedMbps === undefined ? {} : { speedGbps: Math.floor(nic.speedMbps / 1_000) }),
      })),
    ),
    storage: found.disks.map(disk => ({
      ...text(disk.name ?? disk.id, 'name'),
      ...text(disk.model, 'model'),
      ...text(disk.serial, 'serialNumber'),
      ...text(disk.vendor, 'vendor'),
      ...text(disk.wwn, 'wwn'),
      ...text(disk.wwnWithExtension, 'wwnWithExtension'),
      ...text(disk.wwnVendorExtension, 'wwnVendorExtension'),
      ...text(disk.hctl, 'hctl'),
      ...(disk.alternateNames ? { alternateNames: disk.alternateNames } : {}),
      ...(disk.bytes === undefined ? {} : { sizeBytes: disk.bytes }),
      ...(disk.rotational === undefined ? {} : { rotational: disk.rotational }),
    })),
    cpu: {
      ...text(architectureOf(cpu?.architecture), 'arch'),
      ...text(cpu?.model, 'model'),
      ...(cpu?.maxMhz === undefined ? {} : { clockMegahertz: cpu.maxMhz }),
      ...(cpu?.flags ? { flags: cpu.flags } : {}),
      count: found.processors.reduce((sum, { threads, cores }) => sum + (threads ?? cores ?? 0), 0),
    },
  }
}

const architectureOf = (given: string | undefined): string | undefined =>
  given === undefined ? undefined : /arm|aarch64/i.test(given) ? 'aarch64' : /x86|amd64|intel/i.test(given) ? 'x86_64' : given
