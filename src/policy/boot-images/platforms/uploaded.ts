import { namedByRelease } from './named.ts'

// What the installer uploads under a name; whoever mirrors images uploads the next one under the next release's name.

export const openstack = namedByRelease({
  type: 'OpenStack',
  templates: ['OpenStackMachineTemplate'],
  image: { mapi: ['image'], capi: ['image', 'filter', 'name'] },
  release: ['artifacts', 'openstack', 'release'],
  cloud: 'OpenStack',
})
export const nutanix = namedByRelease({
  type: 'Nutanix',
  templates: ['NutanixMachineTemplate'],
  image: { mapi: ['image', 'name'], capi: ['image', 'name'] },
  release: ['artifacts', 'nutanix', 'release'],
  cloud: 'Nutanix',
})
export const vsphere = namedByRelease({
  type: 'VSphere',
  templates: ['VSphereMachineTemplate'],
  image: { mapi: ['template'], capi: ['template'] },
  release: ['artifacts', 'vmware', 'release'],
  cloud: 'vSphere',
})
export const powervs = namedByRelease({
  type: 'PowerVS',
  templates: ['IBMPowerVSMachineTemplate'],
  image: { mapi: ['image', 'name'], capi: ['image', 'name'] },
  release: ['artifacts', 'powervs', 'release'],
  cloud: 'PowerVS',
})
export const ibmcloud = namedByRelease({
  type: 'IBMCloud',
  templates: ['IBMVPCMachineTemplate'],
  image: { mapi: ['image'], capi: ['image', 'name'] },
  release: ['artifacts', 'ibmcloud', 'release'],
  cloud: 'IBM Cloud',
})
export const ovirt = namedByRelease({
  type: 'oVirt',
  templates: [],
  image: { mapi: ['template_name'], capi: ['template_name'] },
  release: ['artifacts', 'openstack', 'release'],
  cloud: 'oVirt',
})
export const libvirt = namedByRelease({
  type: 'Libvirt',
  templates: [],
  image: { mapi: ['volume', 'baseVolumeID'], capi: ['volume', 'baseVolumeID'] },
  release: ['artifacts', 'qemu', 'release'],
  cloud: 'libvirt',
})
