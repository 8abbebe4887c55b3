import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Instant, Millis } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { type Credential, isAddress } from '../../net/certificates.ts'

const day: Millis = 86_400_000
export const authorityLasts: Millis = 3_650 * day
export const leafLasts: Millis = 365 * day
/** Leaves are replaced in the last quarter of their life; so a machine that is started once a season never meets an expired one. */
const renewBefore: Millis = 90 * day
/** From here on a person should know that the authority ends. */
const warnBefore: Millis = 180 * day

/** What lies in the folder: a pair of files, one of the two, or none. */
export interface Found {
  readonly certificate?: string
  readonly key?: string
}

/**
 * The authority as it was found; undefined means that one is to be made. Anything broken is a Fault: a new authority would lock everybody
 * out. Only a key that nothing was signed with yet, left by a first start that was cut short, is replaced.
 */
export function keptAuthority(
  found: Found,
  inUse: boolean,
  now: Instant,
  folder: string,
): { readonly authority: Credential; readonly warning?: string } | undefined {
  if (found.certificate === undefined && found.key === undefined) return undefined
  const { certificate, key } = found
  if (certificate === undefined && !inUse) return undefined
  if (certificate === undefined || key === undefined)
    throw damaged(folder, certificate === undefined ? 'ca.crt is missing beside ca.key' : 'ca.key is missing beside ca.crt')
  const parsed = parse(certificate)
  if (!parsed) throw damaged(folder, 'ca.crt is not a certificate')
  if (!belongs(parsed, key)) throw damaged(folder, 'ca.key does not belong to ca.crt')
  const ends = parsed.validToDate.getTime()
  if (ends <= now)
    throw new Fault(
      'pki/authority-expired',
      `Cannot use the certificate authority in ${folder}: it expired on ${parsed.validTo}`,
      'when-changed',
      {
        hint: `Move ${folder} away and start again: a new authority and kubeconfig are made, and every client needs the new one. Objects stay.`,
      },
    )
  const authority = { certificate, key }
  return ends - now < warnBefore ? { authority, warning: `the certificate authority expires on ${parsed.validTo}` } : { authority }
}

/** True where a leaf can go on: readable, signed by this authority, far from its end, and good for all these names. */
export function isKept(found: Found, authority: Credential, names: readonly string[], now: Instant): found is Credential {
  if (found.certificate === undefined || found.key === undefined) return false
  const leaf = parse(found.certificate)
  if (!leaf || !belongs(leaf, found.key)) return false
  const issuer = new X509Certificate(authority.certificate)
  return (
    leaf.checkIssued(issuer) &&
    leaf.verify(issuer.publicKey) &&
    leaf.validToDate.getTime() - now > renewBefore &&
    leaf.validFromDate.getTime() <= now &&
    names.every(name => (isAddress(name) ? leaf.checkIP(name) : leaf.checkHost(name)) !== undefined)
  )
}

/** True for an EC P-256 key in PEM. */
export function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

export const damaged = (folder: string, found: string): Fault =>
  new Fault('pki/damaged', `Cannot use the keys in ${folder}: ${found}`, 'when-changed', {
    hint: `Put the folder back from a backup, or move it away and start again: new keys and a new kubeconfig are made. Objects stay.`,
  })

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function belongs(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
