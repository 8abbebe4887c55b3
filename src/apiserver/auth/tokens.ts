import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { compactVerify, SignJWT } from 'jose'
import { seconds } from '../../core/duration.ts'
import { isObject } from '../../core/json.ts'
import type { Clock, Ids, User } from '../../ports/index.ts'

export const defaultIssuer = 'https://kubernetes.default.svc.cluster.local'

/** Which object a token depends on, besides its ServiceAccount. */
export interface BoundObject {
  readonly name: string
  readonly uid: string
}

/** What a ServiceAccount token says; the names are those of Kubernetes' claims. */
interface TokenClaims {
  readonly id: string
  readonly namespace: string
  readonly account: BoundObject
  readonly secret?: BoundObject
  readonly audiences: readonly string[]
  readonly expires: number
}

export interface TokenOptions {
  /** EC P-256, PKCS#8 PEM. */
  readonly key: string
  readonly issuer?: string
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'uid'>
  /** The uid of a live object, or undefined where it is gone: tokens end with what they are bound to. */
  readonly uidOf: (resource: 'serviceaccounts' | 'secrets', namespace: string, name: string) => string | undefined
}

export interface Tokens {
  readonly issuer: string
  issue(
    order: Omit<TokenClaims, 'id' | 'expires'> & { readonly lasts: number },
  ): Promise<{ readonly token: string; readonly expires: number }>
  /** The user a token speaks for and the audiences it shares with those asked for, or undefined where it is not (or no longer) good. */
  verify(token: string, audiences?: readonly string[]): Promise<{ readonly user: User; readonly audiences: readonly string[] } | undefined>
  /** Public keys for those who check tokens themselves (JWKS). */
  keys(): object
}

const remembered = 10_000

export function openTokens(options: TokenOptions): Tokens {
  const { clock, ids, uidOf, issuer = defaultIssuer } = options
  const privateKey = createPrivateKey(options.key)
  const publicKey = createPublicKey(privateKey)
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
  const verified = new Map<string, TokenClaims>()
  const now = () => Math.floor(clock.now() / 1_000)

  const read = async (token: string): Promise<TokenClaims | undefined> => {
    const hash = createHash('sha256').update(token).digest('base64')
    const known = verified.get(hash)
    if (known) return known
    try {
      const { payload } = await compactVerify(token, publicKey, { algorithms: ['ES256'] })
      const claims = claimsIn(JSON.parse(Buffer.from(payload).toString('utf8')), issuer, now())
      if (!claims) return undefined
      const [oldest] = verified.keys()
      if (verified.size >= remembered && oldest !== undefined) verified.delete(oldest)
      verified.set(hash, claims)
      return claims
    } catch {
      return undefined
    }
  }

  return {
    issuer,
    keys: () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid }] }),
    async issue({ lasts, namespace, account, secret, audiences }) {
      const issued = now()
      const expires = issued + Math.floor(lasts / 1_000)
      const bound = { namespace, serviceaccount: account, ...(secret ? { secret } : {}) }
      const token = await new SignJWT({ 'kubernetes.io': bound, aud: [...audiences], jti: ids.uid() })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setIssuer(issuer)
        .setSubject(`system:serviceaccount:${namespace}:${account.name}`)
        .setIssuedAt(issued)
        .setNotBefore(issued)
        .setExpirationTime(expires)
        .sign(privateKey)
      return { token, expires: seconds(expires) }
    },
    async verify(token, audiences = [issuer]) {
      const claims = await read(token)
      if (!claims || claims.expires <= now()) return undefined
      const { namespace, account, secret } = claims
      if (uidOf('serviceaccounts', namespace, account.name) !== account.uid) return undefined
      if (secret && uidOf('secrets', namespace, secret.name) !== secret.uid) return undefined
      const shared = audiences.filter(audience => claims.audiences.includes(audience))
      return shared.length === 0 ? undefined : { user: serviceAccountUser(claims), audiences: shared }
    },
  }
}

function serviceAccountUser({ id, namespace, account }: TokenClaims): User {
  return {
    name: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    ...(id === '' ? {} : { extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] } }),
  }
}

/** The signature was good; now the claims must be ours, whole and in force. */
function claimsIn(payload: unknown, issuer: string, now: number): TokenClaims | undefined {
  if (!isObject(payload) || payload['iss'] !== issuer) return undefined
  const { exp, nbf, aud, jti, sub } = payload
  const bound = payload['kubernetes.io']
  if (typeof exp !== 'number' || typeof nbf !== 'number' || exp <= now || nbf > now || !Array.isArray(aud) || !isObject(bound))
    return undefined
  const { namespace } = bound
  const account = objectIn(bound['serviceaccount'])
  if (typeof namespace !== 'string' || !account || sub !== `system:serviceaccount:${namespace}:${account.name}`) return undefined
  const secret = bound['secret'] === undefined ? undefined : objectIn(bound['secret'])
  if (bound['secret'] !== undefined && !secret) return undefined
  const audiences = aud.filter(audience => typeof audience === 'string')
  return { id: typeof jti === 'string' ? jti : '', namespace, account, audiences, expires: exp, ...(secret ? { secret } : {}) }
}

const objectIn = (value: unknown): BoundObject | undefined =>
  isObject(value) && typeof value['name'] === 'string' && typeof value['uid'] === 'string'
    ? { name: value['name'], uid: value['uid'] }
    : undefined
