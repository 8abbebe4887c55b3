import { canonical } from '../../core/canonical.ts'
import { type RootDeviceHints, rootDeviceOf } from './root-device.ts'

/** The volumes of a host in Metal3's words. Missing leaves what is there; an empty list takes all away. */
export interface RaidWish {
  readonly hardwareRAIDVolumes?: readonly HardwareVolume[] | null
  readonly softwareRAIDVolumes?: readonly SoftwareVolume[] | null
}

interface HardwareVolume {
  readonly sizeGibibytes?: number
  readonly level: string
  readonly name?: string
  readonly rotational?: boolean
  readonly numberOfPhysicalDisks?: number
  readonly controller?: string
  readonly physicalDisks?: readonly string[]
}

interface SoftwareVolume {
  readonly sizeGibibytes?: number
  readonly level: string
  readonly rootVolume?: boolean
  readonly physicalDisks?: readonly RootDeviceHints[]
}

/** The same in the words of Ironic and its agent. */
export interface RaidOrder {
  /** Made by a RAID controller, or by the system from disks. */
  readonly by: 'controller' | 'system'
  /** What is there in the end; none where all are taken away. */
  readonly disks: readonly LogicalDisk[]
}

export interface LogicalDisk {
  readonly size_gb: number | 'MAX'
  readonly raid_level: string
  readonly [more: string]: unknown
}

/** What is to be made; undefined where the volumes are left as they are. */
export function raidOrder(wish: RaidWish | undefined, hasHints: boolean): RaidOrder | undefined {
  const { hardwareRAIDVolumes: hardware, softwareRAIDVolumes: software } = wish ?? {}
  if (hardware && hardware.length > 0) return { by: 'controller', disks: rooted(hardware.map(hardwareDisk), hasHints) }
  if (software) return { by: 'system', disks: rooted(software.map(softwareDisk), hasHints) }
  return hardware ? { by: 'controller', disks: [] } : undefined
}

/** What must still be made: what is wanted, and is not what was made last. */
export function raidToMake(wish: RaidWish | undefined, made: RaidWish | undefined, hasHints: boolean): RaidOrder | undefined {
  const order = raidOrder(wish, hasHints)
  return order === undefined || raidText(order) === raidText(raidOrder(made, hasHints)) ? undefined : order
}

/** One text for one order, by which what was made is known again. */
export const raidText = (order: RaidOrder | undefined): string | undefined => order && `${order.by} ${canonical(order.disks)}`

const size = ({ sizeGibibytes: gib }: { readonly sizeGibibytes?: number }): number | 'MAX' => (gib ? gib : 'MAX')
const given = (name: string, value: unknown): object => (value === undefined || value === '' ? {} : { [name]: value })

const hardwareDisk = (volume: HardwareVolume): LogicalDisk => ({
  size_gb: size(volume),
  raid_level: volume.level,
  ...given('volume_name', volume.name),
  ...given('disk_type', volume.rotational === undefined ? undefined : volume.rotational ? 'hdd' : 'ssd'),
  ...given('number_of_physical_disks', volume.numberOfPhysicalDisks),
  ...given('controller', volume.controller),
  ...given('physical_disks', volume.physicalDisks),
})

const softwareDisk = (volume: SoftwareVolume): LogicalDisk => ({
  size_gb: size(volume),
  raid_level: volume.level,
  controller: 'software',
  ...given('is_root_volume', volume.rootVolume || undefined),
  ...given('physical_disks', volume.physicalDisks?.map(rootDeviceOf)),
})

/** Where nobody says which disk is installed to, it is the first volume. */
function rooted(disks: readonly LogicalDisk[], hasHints: boolean): readonly LogicalDisk[] {
  const [first, ...rest] = disks
  if (!first || hasHints || disks.some(({ is_root_volume: isRoot }) => isRoot)) return disks
  return [{ ...first, is_root_volume: true }, ...rest]
}
