import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../api/status.ts'
import type { Peer } from '../../net/peer.ts'
import type { HttpRequest, User } from '../../ports/index.ts'
import { mastersGroup } from './rbac.ts'
import type { Tokens } from './tokens.ts'

/** Who sends a request; undefined is nobody in particular. Credentials that are shown but not good throw Unauthorized. */
export type Authenticate = (request: Pick<HttpRequest, 'headers'>, peer: Peer) => Promise<User | undefined>

export const authenticated = 'system:authenticated'

export interface AuthenticateOptions {
  readonly tokens: Tokens
  /** A fixed token that makes its bearer the administrator, where one is configured. */
  readonly adminToken?: string
}

/** A client certificate counts first, then the bearer token. */
export function authenticator({ tokens, adminToken }: AuthenticateOptions): Authenticate {
  const admin = adminToken === undefined || adminToken === '' ? undefined : digest(adminToken)
  return async ({ headers }, peer) => {
    const user = certificateUser(peer)
    if (user) return user
    const token = bearerToken(headers['authorization'])
    if (token === undefined) return undefined
    if (admin && timingSafeEqual(admin, digest(token))) return { name: 'admin', groups: [mastersGroup, authenticated] }
    const found = await tokens.verify(token)
    if (!found) throw unauthorized()
    return found.user
  }
}

/** Common name → user, organizations → groups. A certificate without a name speaks for nobody. */
function certificateUser({ certificate }: Peer): User | undefined {
  if (!certificate || certificate.commonName === '') return undefined
  return {
    name: certificate.commonName,
    groups: [...new Set([...certificate.organizations, authenticated])],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${certificate.fingerprint}`] },
  }
}

const unauthorized = (): ApiError => new ApiError('Unauthorized', 'Unauthorized')

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [scheme = '', token] = header.trim().split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' && token ? token : undefined
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
