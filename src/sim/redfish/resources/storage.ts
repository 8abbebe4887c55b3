import { serialOf } from '../../machine/identity.ts'
import type { Extra } from '../node.ts'
import { hardware } from './hardware.ts'
import { collection, fixed, healthy, rolledUp, shape } from './shape.ts'

/** One controller with its drives, in the present and in the old form. */
export const storage: Extra = kit => {
  const { at } = kit
  const path = `${at.system}/Storage`
  const controller = `${path}/1`
  const drives = hardware.drives.map(({ id }) => id)
  collection(kit, path, 'StorageCollection', 'Storage', ['1'])
  fixed(kit, controller, 'Storage.v1_13_0.Storage', 'Controller', {
    StorageControllers: [
      {
        '@odata.id': `${at.spell(controller)}#/StorageControllers/0`,
        MemberId: '0',
        Name: 'Controller',
        SpeedGbps: 12,
        SupportedDeviceProtocols: ['NVMe', 'SAS'],
        Status: healthy,
      },
    ],
    Drives: drives.map(id => at.to(`${controller}/Drives/${id}`)),
    'Drives@odata.count': drives.length,
    Volumes: at.to(`${controller}/Volumes`),
    Links: { Enclosures: [at.to(at.chassis)] },
    Status: rolledUp,
  })
  collection(kit, `${controller}/Volumes`, 'VolumeCollection', 'Volumes', [])
  for (const drive of hardware.drives) {
    const drivePath = `${controller}/Drives/${drive.id}`
    const body = shape(kit, drivePath, 'Drive.v1_16_0.Drive', drive.id, {
      Manufacturer: 'Rackwright',
      Model: drive.model,
      CapacityBytes: drive.bytes,
      MediaType: drive.media,
      Protocol: drive.protocol,
      ...(drive.media === 'HDD' ? { RotationSpeedRPM: 7200 } : {}),
      Status: healthy,
      Links: { Chassis: at.to(at.chassis) },
    })
    kit.node(drivePath, { read: ({ machine }) => ({ ...body, SerialNumber: `${serialOf(machine.number)}-${drive.id}` }) })
  }
  const simple = `${at.system}/SimpleStorage`
  collection(kit, simple, 'SimpleStorageCollection', 'Simple Storage', ['1'])
  fixed(kit, `${simple}/1`, 'SimpleStorage.v1_3_1.SimpleStorage', 'Disks', {
    Devices: hardware.drives.map(({ id, model, bytes }) => ({
      Name: id,
      Manufacturer: 'Rackwright',
      Model: model,
      CapacityBytes: bytes,
      Status: healthy,
    })),
    Status: rolledUp,
  })
}
