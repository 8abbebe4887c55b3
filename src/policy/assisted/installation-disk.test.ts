import { describe, expect, it } from 'vitest'
import { installationDisk, noSuchDisk } from './installation-disk.ts'

const disks = [
  {
    id: 'a',
    path: '/dev/sda',
    sizeBytes: 100 * 2 ** 30,
    driveType: 'HDD',
    wwn: '0xABC',
    serial: 'S1',
    model: 'Big Disk',
    byPath: '/dev/disk/by-path/x',
  },
  { id: 'b', path: '/dev/nvme0n1', sizeBytes: 800 * 2 ** 30, driveType: 'SSD', wwn: '0xdef', vendor: 'RW', hctl: '1:0:0:0' },
  { id: 'm', path: '/dev/dm-0', sizeBytes: 100 * 2 ** 30, driveType: 'Multipath', wwn: '0xabc' },
]

describe('BM-08 installationDisk()', () => {
  it.each([
    ['its name', { deviceName: '/dev/nvme0n1' }, 'b'],
    ['a link below by-path', { deviceName: '/dev/disk/by-path/x' }, 'a'],
    ['the least size', { minSizeGigabytes: 500 }, 'b'],
    ['the wwn: the disk of all its paths first', { wwn: '0xABC' }, 'm'],
    ['a part of its model', { model: 'big' }, 'a'],
    ['its serial number', { serialNumber: 's1' }, 'a'],
    ['its vendor and bus', { vendor: 'rw', hctl: '1:0:0:0' }, 'b'],
    ['that it turns', { rotational: true }, 'a'],
    ['hints that do not fit together: none, and by a name that nobody has', { serialNumber: 'S1', minSizeGigabytes: 500 }, noSuchDisk],
    ['no hint: untouched', {}, undefined],
  ] as const)('finds a disk by %s', (_, hints, wanted) => expect(installationDisk(hints, disks)).toBe(wanted))
  it('leaves it untouched where there are no hints at all', () => expect(installationDisk(undefined, disks)).toBeUndefined())
})
