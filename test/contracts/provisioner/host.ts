import { readBmcAddress } from '../../../src/policy/metal3/bmc-address.ts'
import type { HostOrder } from '../../../src/ports/provisioner.ts'

/** A host with virtual media, to which nothing is to be installed. */
export const host: HostOrder = {
  namespace: 'default',
  name: 'srv-1',
  uid: '7d1c0000-1111-4222-8333-444455556666',
  address: readBmcAddress('redfish-virtualmedia://srv-1/redfish/v1/Systems/1') as HostOrder['address'],
  systemUUID: undefined,
  inspection: 'agent',
  cleaning: 'metadata',
  image: undefined,
  customDeploy: undefined,
  macs: [],
  architecture: 'x86_64',
  bootMode: 'UEFI',
  rootDeviceHints: undefined,
  raid: undefined,
  off: 'soft',
  neverOff: false,
}
