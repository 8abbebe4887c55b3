import { expect, it } from 'vitest'
import { rootDeviceOf } from './root-device.ts'

it.each([
  [{ deviceName: '/dev/sda' }, { name: 's== /dev/sda' }],
  [{ deviceName: '/dev/disk/by-path/pci-0000:00:1f.2' }, { by_path: 's== /dev/disk/by-path/pci-0000:00:1f.2' }],
  [
    { model: 'SSD', vendor: 'ACME' },
    { model: '<in> SSD', vendor: '<in> ACME' },
  ],
  [
    { minSizeGigabytes: 40, rotational: false },
    { size: '>= 40', rotational: 'false' },
  ],
  [
    { serialNumber: 'S1', wwn: '0x5', wwnWithExtension: '0x5a', wwnVendorExtension: '0xa', hctl: '0:0:0:0' },
    { serial: 's== S1', wwn: 's== 0x5', wwn_with_extension: 's== 0x5a', wwn_vendor_extension: 's== 0xa', hctl: 's== 0:0:0:0' },
  ],
  [{ serialNumber: '' }, {}],
])('rootDeviceOf(%j)', (hints, expected) => expect(rootDeviceOf(hints)).toEqual(expected))
