import { minutes, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { HttpResponse } from '../ports/index.ts'
import { mayHaveCredentials, readChallenge } from './challenge.ts'
import type { Credentials, CredentialsOf } from './credentials.ts'
import { type Fetching, get, steadily, whole } from './fetch.ts'
import type { ImageSource } from './resolve.ts'

const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')
const largestDocument = 4 << 20
const largestToken = 1 << 20
const times = { idle: seconds(60), whole: minutes(120) }

export interface RegistryOptions extends Fetching {
  /** As images name it. */
  readonly name: string
  readonly origin: URL
  readonly credentials?: CredentialsOf
  /** Hosts besides its own that may be told its credentials to make a token of. */
  readonly tokenServices?: readonly string[]
}

/** A registry over HTTP(S): with tokens or a password where it wants them, which no other host ever sees. */
export function registrySource(options: RegistryOptions): ImageSource {
  const { name, origin, clock } = options
  const tokens = new Map<string, string>()

  async function ask(repository: string, path: string, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const send = (): Promise<HttpResponse> => {
      const authorization = tokens.get(repository)
      const headers = { accept: accepted, 'accept-encoding': 'identity', ...(authorization === undefined ? {} : { authorization }) }
      return get(options, new URL(path, origin), headers, name, signal)
    }
    const first = await send()
    if (first.status !== 401) return first
    tokens.set(repository, await login(repository, first.headers['www-authenticate'], signal))
    return send()
  }

  const refused = (repository: string, found: string, hint?: string): Fault =>
    new Fault('image/unauthorized', `Cannot read ${repository} from ${name}: ${found}`, 'when-changed', hint === undefined ? {} : { hint })

  /** The value of an Authorization header, for this registry alone. */
  async function login(repository: string, header: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    const challenge = readChallenge(header)
    const credentials = await options.credentials?.(name)
    switch (challenge.is) {
      case 'unknown':
        throw refused(repository, 'it wants credentials of a kind that is not spoken here')
      case 'basic':
        if (!credentials) throw refused(repository, 'it wants credentials, and there are none for it', noCredentials)
        return basic(credentials)
      case 'bearer': {
        if (credentials && !mayHaveCredentials(challenge.realm, origin, options.tokenServices ?? []))
          throw refused(repository, `its token service ${challenge.realm.host} is not one that its credentials may be told`)
        const url = new URL(challenge.realm)
        url.searchParams.set('scope', `repository:${repository}:pull`)
        if (challenge.service !== undefined) url.searchParams.set('service', challenge.service)
        return `Bearer ${await token(repository, url, credentials, signal)}`
      }
      default:
        return challenge satisfies never
    }
  }

  async function token(
    repository: string,
    url: URL,
    credentials: Credentials | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const headers: Record<string, string> = credentials ? { authorization: basic(credentials) } : {}
    const service = `${name}'s token service`
    const response = await get(options, url, headers, service, signal)
    const bytes = await whole(steadily(response.body, clock, service, times), largestToken, `the answer of ${service}`)
    const given = parsed(bytes)
    const found = isObject(given) ? (given['token'] ?? given['access_token']) : undefined
    if (response.status === 200 && typeof found === 'string' && /^[\x21-\x7e]+$/.test(found)) return found
    if (response.status >= 500)
      throw new Fault('image/registry-failed', `Cannot read ${repository} from ${name}: ${service} answered ${response.status}`)
    throw refused(
      repository,
      credentials ? 'its token service refuses the credentials' : 'its token service gives none without credentials',
      credentials ? undefined : noCredentials,
    )
  }

  function check({ status }: HttpResponse, repository: string, what: string): void {
    if (status === 200) return
    const shown = tokens.get(repository)
    tokens.delete(repository)
    if (status === 401 || status === 403)
      throw refused(
        repository,
        shown?.startsWith('Basic') ? 'it refuses the credentials' : `it answers ${status} to what we may`,
        noCredentials,
      )
    const fault = (code: string, found: string): Fault => new Fault(`image/${code}`, `Cannot read ${what} from ${name}: ${found}`)
    throw status === 404 ? fault('not-found', 'there is no such image') : fault('registry-failed', `it answered ${status}`)
  }

  return {
    async document(repository, tagOrDigest, signal) {
      const what = `${repository}${tagOrDigest.startsWith('sha256:') ? '@' : ':'}${tagOrDigest}`
      const response = await ask(repository, `/v2/${repository}/manifests/${tagOrDigest}`, signal)
      check(response, repository, what)
      return whole(steadily(response.body, clock, name, times), largestDocument, what)
    },
    async *blob(repository, digest, signal) {
      const response = await ask(repository, `/v2/${repository}/blobs/${digest}`, signal)
      check(response, repository, `${repository}@${digest}`)
      yield* steadily(response.body, clock, name, times)
    },
  }
}

const noCredentials = 'put credentials for it into the Secret of type kubernetes.io/dockerconfigjson that the manager reads'

const basic = ({ username, password }: Credentials): string => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
