import type { RootDeviceHints } from '../metal3/root-device.ts'

/** A disk as the assisted agent tells of it. */
export interface AgentDisk {
  readonly id?: string
  readonly path?: string
  readonly byPath?: string
  readonly byID?: string
  readonly driveType?: string
  readonly sizeBytes?: number
  readonly model?: string
  readonly vendor?: string
  readonly serial?: string
  readonly wwn?: string
  readonly hctl?: string
}

/** Named where no disk fits: the assisted service refuses to install to it, and says which hint it was. */
export const noSuchDisk = '/dev/not-found-by-hints'
const gigabyte = 2 ** 30

/** Which disk is installed to; undefined where nobody gave a hint. A disk that is reached by several ways is taken before the ways themselves. */
export function installationDisk(hints: RootDeviceHints | undefined, disks: readonly AgentDisk[]): string | undefined {
  if (!hints || Object.values(hints).every(hint => hint === undefined)) return undefined
  const fitting = disks.filter(disk => fits(hints, disk))
  const found = fitting.find(({ driveType }) => driveType === 'Multipath') ?? fitting[0]
  return found?.id ?? noSuchDisk
}

function fits(hints: RootDeviceHints, disk: AgentDisk): boolean {
  const same = (hint: string | undefined, value: string | undefined): boolean =>
    hint === undefined || hint === '' || hint.toLowerCase() === value?.toLowerCase()
  const within = (hint: string | undefined, value: string | undefined): boolean =>
    hint === undefined || hint === '' || value?.toLowerCase().includes(hint.toLowerCase()) === true
  const named =
    hints.deviceName === undefined ||
    hints.deviceName === '' ||
    [disk.path, disk.byPath, disk.byID, disk.id].some(name => name === hints.deviceName)
  return (
    named &&
    same(hints.hctl, disk.hctl) &&
    within(hints.model, disk.model) &&
    within(hints.vendor, disk.vendor) &&
    same(hints.serialNumber, disk.serial) &&
    same(hints.wwn ?? hints.wwnWithExtension, disk.wwn) &&
    (hints.minSizeGigabytes === undefined || (disk.sizeBytes ?? 0) >= hints.minSizeGigabytes * gigabyte) &&
    (hints.rotational === undefined || hints.rotational === (disk.driveType === 'HDD'))
  )
}
