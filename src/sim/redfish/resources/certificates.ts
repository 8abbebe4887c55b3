import type { Extra } from '../node.ts'
import { fixed } from './shape.ts'

/** Where certificates are; each can be read, none replaced. */
export const certificates: Extra = kit => {
  const { at } = kit
  const path = `${at.root}/CertificateService`
  fixed(kit, path, 'CertificateService.v1_0_5.CertificateService', 'Certificate Service', {
    CertificateLocations: at.to(`${path}/CertificateLocations`),
  })
  fixed(kit, `${path}/CertificateLocations`, 'CertificateLocations.v1_0_3.CertificateLocations', 'Certificate Locations', {
    Links: { Certificates: [at.to(`${at.manager}/NetworkProtocol/HTTPS/Certificates/1`)] },
  })
}
