import { rootDeviceOf } from '../../policy/metal3/root-device.ts'
import type { HostOrder } from '../../ports/provisioner.ts'
import { bootModeOf } from './image-info.ts'

/** A host as an agent knows it: as much of Ironic's node as agents and their hardware managers look at. */
export function nodeOf({ uid, namespace, name, bootMode, architecture, rootDeviceHints, raid }: HostOrder, instance: object = {}): object {
  const capabilities = `boot_mode:${bootModeOf(bootMode)}${bootMode === 'UEFISecureBoot' ? ',secure_boot:true' : ''}`
  const rootDevice = rootDeviceHints ? rootDeviceOf(rootDeviceHints) : {}
  return {
    uuid: uid,
    name: `${namespace}~${name}`,
    properties: {
      capabilities,
      cpu_arch: architecture,
      ...(Object.keys(rootDevice).length > 0 ? { root_device: rootDevice } : {}),
    },
    instance_info: { capabilities: { boot_mode: bootModeOf(bootMode) }, ...instance },
    // What the agent's RAID steps make.
    ...(raid ? { target_raid_config: raid.disks.length > 0 ? { logical_disks: raid.disks } : {} } : {}),
    driver_info: {},
    driver_internal_info: {},
    extra: {},
    traits: [],
  }
}
