import { createHash } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  ExtendedKeyUsage,
  Extension,
  GeneralName,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509'
import { isAddress, type Subject } from './certificates.ts'

const commonName = '2.5.4.3'
const organization = '2.5.4.10'

/** Each value is an attribute of its own, so that a comma in a name stays a comma and never becomes a group. */
export function nameOf(subject: Subject): Name {
  const part = (type: string, text: string) =>
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) })])
  return new Name([...(subject.organizations ?? []).map(o => part(organization, o)), part(commonName, subject.commonName)])
}

export function extensionsFor(
  kind: 'authority' | 'server' | 'client',
  ownKey: Uint8Array,
  signerKey: Uint8Array,
  names: readonly string[],
): Extension[] {
  const authority = kind === 'authority'
  const extensions = [
    extension(
      '2.5.29.19',
      true,
      authority ? new BasicConstraints({ cA: true, pathLenConstraint: 0 }) : new BasicConstraints({ cA: false }),
    ),
    extension(
      '2.5.29.15',
      true,
      new KeyUsage(authority ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature),
    ),
    extension('2.5.29.14', false, new SubjectKeyIdentifier(keyId(ownKey))),
    extension('2.5.29.35', false, new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyId(signerKey)) })),
  ]
  if (!authority)
    extensions.push(extension('2.5.29.37', false, new ExtendedKeyUsage([kind === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2'])))
  if (names.length > 0) {
    const list = names.map(name => new GeneralName(isAddress(name) ? { iPAddress: name } : { dNSName: name }))
    extensions.push(extension('2.5.29.17', false, new SubjectAlternativeName(list)))
  }
  return extensions
}

const extension = (extnID: string, critical: boolean, value: object): Extension =>
  new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

/** RFC 5280 4.2.1.2, method 1: SHA-1 over the key itself, without its algorithm. */
function keyId(spki: Uint8Array): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(spki, SubjectPublicKeyInfo)
  return Uint8Array.from(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest()).buffer
}
