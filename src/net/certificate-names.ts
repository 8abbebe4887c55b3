import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate } from '@peculiar/asn1-x509'

export interface CertificateNames {
  readonly commonName: string
  readonly organizations: readonly string[]
}

/**
 * Reads who a certificate speaks for from its DER. Node offers the subject as text only, in which a name with a line break
 * or comma could pass for another attribute.
 */
export function certificateNames(der: Uint8Array): CertificateNames {
  const { subject } = AsnConvert.parse(der, Certificate).tbsCertificate
  const values = (type: string): string[] =>
    subject.flatMap(part => part.filter(attribute => attribute.type === type).map(attribute => attribute.value.toString()))
  return { commonName: values('2.5.4.3')[0] ?? '', organizations: values('2.5.4.10') }
}
