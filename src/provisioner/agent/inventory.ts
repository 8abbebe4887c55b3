import { isObject } from '../../core/json.ts'
import type { HardwareInventory } from '../../ports/bmc.ts'

type Raw = Readonly<Record<string, unknown>>

const list = (of: unknown): readonly Raw[] => (Array.isArray(of) ? of.filter(isObject) : [])
const part = (of: Raw, name: string): Raw => (isObject(of[name]) ? of[name] : {})
const mebibyte = 1024 * 1024

/** Texts that say nothing are left out: agents write them for whatever a board does not tell. */
const text = (of: Raw, from: string, as: string): Readonly<Record<string, string>> => {
  const value = of[from]
  return typeof value === 'string' && value.trim() !== '' ? { [as]: value.trim() } : {}
}
const count = (of: Raw, from: string, as: string): Readonly<Record<string, number>> => {
  const value = Number(of[from])
  return Number.isFinite(value) && value > 0 ? { [as]: value } : {}
}
const flag = (of: Raw, from: string, as: string): Readonly<Record<string, boolean>> =>
  typeof of[from] === 'boolean' ? { [as]: of[from] } : {}

export const macsIn = (found: Raw): readonly string[] =>
  list(found['interfaces']).flatMap(({ mac_address: mac }) => (typeof mac === 'string' ? mac.toLowerCase() : []))

/** An agent's inventory in the words that a management controller's is told in, and with what only a system on the machine can see. */
export function inventoryOf(found: Raw): HardwareInventory {
  const [vendor, cpu, memory] = [part(found, 'system_vendor'), part(found, 'cpu'), part(found, 'memory')]
  const firmware = part(vendor, 'firmware')
  const physical = Number(memory['physical_mb'])
  const bytes = physical > 0 ? physical * mebibyte : Number(memory['total'])
  return {
    ...text(vendor, 'manufacturer', 'manufacturer'),
    ...text(vendor, 'product_name', 'model'),
    ...text(vendor, 'serial_number', 'serial'),
    ...text(firmware, 'version', 'biosVersion'),
    ...text(firmware, 'vendor', 'biosVendor'),
    ...text(firmware, 'build_date', 'biosDate'),
    ...text(found, 'hostname', 'hostname'),
    ...(bytes > 0 ? { memoryBytes: bytes } : {}),
    processors: [
      {
        id: '0',
        ...text(cpu, 'model_name', 'model'),
        ...text(cpu, 'architecture', 'architecture'),
        ...count(cpu, 'count', 'threads'),
        ...count(cpu, 'frequency', 'maxMhz'),
        ...(Array.isArray(cpu['flags']) ? { flags: cpu['flags'].map(String) } : {}),
      },
    ],
    nics: list(found['interfaces']).map((nic, n) => ({
      id: String(nic['name'] ?? n),
      ...text(nic, 'name', 'name'),
      ...text(nic, 'mac_address', 'mac'),
      ...flag(nic, 'has_carrier', 'linkUp'),
      ...count(nic, 'speed_mbps', 'speedMbps'),
      ...text(nic, 'pci_address', 'pciAddress'),
      addresses: [nic['ipv4_address'], nic['ipv6_address']].filter(address => typeof address === 'string' && address !== '') as string[],
      ...modelOf(nic),
    })),
    disks: list(found['disks']).map((disk, n) => ({
      id: String(disk['name'] ?? n),
      ...text(disk, 'name', 'name'),
      ...text(disk, 'model', 'model'),
      ...text(disk, 'vendor', 'vendor'),
      ...text(disk, 'serial', 'serial'),
      ...text(disk, 'wwn', 'wwn'),
      ...text(disk, 'wwn_with_extension', 'wwnWithExtension'),
      ...text(disk, 'wwn_vendor_extension', 'wwnVendorExtension'),
      ...text(disk, 'hctl', 'hctl'),
      ...count(disk, 'size', 'bytes'),
      ...flag(disk, 'rotational', 'rotational'),
      ...(typeof disk['by_path'] === 'string' && disk['by_path'] !== '' ? { alternateNames: [disk['by_path']] } : {}),
    })),
  }
}

/** Vendor and product, as numbers: that is what Metal3 calls the model of an interface. */
function modelOf(nic: Raw): { readonly model?: string } {
  const numbers = [nic['vendor'], nic['product']].filter(number => typeof number === 'string' && number !== '')
  return numbers.length > 0 ? { model: numbers.join(' ') } : {}
}
