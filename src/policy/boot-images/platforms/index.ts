import { alibabacloud } from './alibabacloud.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { baremetal } from './baremetal.ts'
import { gcp } from './gcp.ts'
import type { Platform } from './platform.ts'
import { ibmcloud, libvirt, nutanix, openstack, ovirt, powervs, vsphere } from './uploaded.ts'

/** Every platform whose boot images can be kept up to date. The admission policy, the documentation and the controller are made from this. */
export const platforms: readonly Platform[] = [
  gcp,
  aws,
  azure,
  alibabacloud,
  nutanix,
  powervs,
  openstack,
  vsphere,
  baremetal,
  libvirt,
  ovirt,
  ibmcloud,
]

export const platformOf = (type: string): Platform | undefined => platforms.find(platform => platform.type === type)

/** The platform of an infrastructure template: on Cluster API a cluster may mix several. */
export const platformOfTemplate = (kind: string): Platform | undefined => platforms.find(({ templates }) => templates.includes(kind))
