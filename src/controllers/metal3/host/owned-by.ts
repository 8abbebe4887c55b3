import type { BareMetalHost } from '../resources.ts'

/** Goes with the host, and is nobody else's. */
export const ownedBy = ({ apiVersion, kind, metadata: { name, uid = '' } }: BareMetalHost) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})
