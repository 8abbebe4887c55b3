import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Instant, Millis } from '../core/duration.ts'

/** A certificate and its key, both as PEM text. */
export interface Credential {
  readonly certificate: string
  readonly key: string
}

export interface Subject {
  readonly commonName: string
  /** Groups, for client certificates. */
  readonly organizations?: readonly string[]
}

export interface Lifetime {
  readonly now: Instant
  readonly lasts: Millis
}

/** A new EC P-256 key in PKCS#8 PEM. */
export const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A certificate authority that signs only leaves. */
export function createAuthority(subject: Subject, life: Lifetime): Promise<Credential> {
  const key = newKey()
  return issue({ subject, life, key, kind: 'authority' })
}

/** `names` are host names and addresses; the first need not be the common name. */
export function createServerCertificate(
  authority: Credential,
  subject: Subject,
  names: readonly string[],
  life: Lifetime,
): Promise<Credential> {
  return issue({ subject, life, key: newKey(), kind: 'server', names, authority })
}

export function createClientCertificate(authority: Credential, subject: Subject, life: Lifetime): Promise<Credential> {
  return issue({ subject, life, key: newKey(), kind: 'client', authority })
}

interface Order {
  readonly subject: Subject
  readonly life: Lifetime
  readonly key: string
  readonly kind: 'authority' | 'server' | 'client'
  readonly names?: readonly string[]
  readonly authority?: Credential
}

/** Clocks differ: a certificate is valid a little before it was made. */
const backdated: Millis = 5 * 60_000

async function issue(order: Order): Promise<Credential> {
  // Loaded here because most commands never make a certificate.
  const { AsnConvert } = await import('@peculiar/asn1-schema')
  const x509 = await import('@peculiar/asn1-x509')
  const { extensionsFor, nameOf } = await import('./certificate-parts.ts')
  const key = createPrivateKey(order.key)
  const issuer = order.authority && new X509Certificate(order.authority.certificate)
  const signer = order.authority ? createPrivateKey(order.authority.key) : key
  const name = nameOf(order.subject)
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }) // ecdsa-with-SHA256
  const issuerCertificate = issuer && AsnConvert.parse(issuer.raw, x509.Certificate)
  const body = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serial(),
    signature: algorithm,
    issuer: issuerCertificate?.tbsCertificate.subject ?? name,
    validity: new x509.Validity({
      notBefore: new Date(order.life.now - backdated),
      notAfter: new Date(Math.min(order.life.now + order.life.lasts, issuer ? Date.parse(issuer.validTo) : Number.POSITIVE_INFINITY)),
    }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(spki(key), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(extensionsFor(order.kind, spki(key), spki(signer), order.names ?? [])),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), signer)
  const certificate = new x509.Certificate({ tbsCertificate: body, signatureAlgorithm: algorithm, signatureValue: arrayOf(signature) })
  return { certificate: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(), key: order.key }
}

const spki = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' })

const arrayOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer

/** Twenty random bytes, positive, without leading zeros. */
function serial(): ArrayBuffer {
  const bytes = randomBytes(20)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return arrayOf(bytes)
}

export const isAddress = (name: string): boolean => isIP(name) !== 0
