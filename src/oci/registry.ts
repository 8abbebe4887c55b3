import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { HttpResponse, Transport } from '../ports/index.ts'
import type { ImageSource } from './resolve.ts'

const accepted = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')
const largestDocument = 4 << 20

export interface RegistryOptions {
  readonly name: string
  /** To the registry itself: every request and no other goes there. */
  readonly transport: Transport
  /** To the host that hands out tokens; undefined where the caller does not allow it. */
  tokenTransport?(realm: URL): Transport | undefined
}

/** A registry over HTTP(S), read without credentials or with an anonymous token. Nothing is redirected: where it points elsewhere it says so. */
export function registrySource({ name, transport, tokenTransport }: RegistryOptions): ImageSource {
  const tokens = new Map<string, string>()

  async function ask(repository: string, url: string, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const send = (): Promise<HttpResponse> => {
      const token = tokens.get(repository)
      return transport({
        method: 'GET',
        url,
        headers: { accept: accepted, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        ...(signal ? { signal } : {}),
      })
    }
    const first = await send().catch(unreachable)
    if (first.status !== 401) return first
    await drain(first)
    tokens.set(repository, await anonymousToken(repository, first.headers['www-authenticate'] ?? '', signal))
    return send().catch(unreachable)
  }

  const unreachable = (cause: unknown): never => {
    throw new Fault(
      'image/registry-unreachable',
      `Cannot reach ${name}: ${cause instanceof Error ? cause.message : String(cause)}`,
      'backoff',
      { cause },
    )
  }

  async function anonymousToken(repository: string, challenge: string, signal: AbortSignal | undefined): Promise<string> {
    const parameters = Object.fromEntries([...challenge.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]))
    const refused = (found: string): Fault =>
      new Fault('image/unauthorized', `Cannot read ${repository} from ${name}: ${found}`, 'when-changed')
    if (!/^Bearer /i.test(challenge) || parameters['realm'] === undefined)
      throw refused('it wants credentials of a kind that is not spoken here')
    const realm = URL.canParse(parameters['realm']) ? new URL(parameters['realm']) : undefined
    const carrier = realm && tokenTransport?.(realm)
    if (!realm || !carrier) throw refused('its token service is not an allowed host')
    realm.searchParams.set('scope', `repository:${repository}:pull`)
    if (parameters['service'] !== undefined) realm.searchParams.set('service', parameters['service'])
    const response = await carrier({
      method: 'GET',
      url: `${realm.pathname}${realm.search}`,
      headers: {},
      ...(signal ? { signal } : {}),
    }).catch(unreachable)
    const answer: unknown = JSON.parse(Buffer.from(await whole(response, `${name}'s token`)).toString('utf8'))
    const token = isObject(answer) ? (answer['token'] ?? answer['access_token']) : undefined
    if (response.status !== 200 || typeof token !== 'string') throw refused('its token service gave none without credentials')
    return token
  }

  return {
    async document(repository, tagOrDigest, signal) {
      const response = await ask(repository, `/v2/${repository}/manifests/${tagOrDigest}`, signal)
      const bytes = await whole(response, `${repository}:${tagOrDigest}`)
      check(response, name, `${repository}:${tagOrDigest}`)
      return bytes
    },
    async *blob(repository, digest, signal) {
      const response = await ask(repository, `/v2/${repository}/blobs/${digest}`, signal)
      if (response.status !== 200) await drain(response)
      check(response, name, `${repository}@${digest}`)
      if (response.body instanceof Uint8Array) yield response.body
      else yield* response.body
    },
  }
}

function check({ status, headers }: HttpResponse, name: string, what: string): void {
  if (status === 200) return
  const fault = (code: string, found: string, retry: 'backoff' | 'when-changed'): Fault =>
    new Fault(`image/${code}`, `Cannot read ${what} from ${name}: ${found}`, retry)
  if (status === 404) throw fault('not-found', 'there is no such image', 'backoff')
  if (status === 401 || status === 403) throw fault('unauthorized', 'it refuses without credentials', 'when-changed')
  if (status >= 300 && status < 400)
    throw fault('redirected', `it points to ${hostOf(headers['location'])}, which is not followed`, 'when-changed')
  throw fault('registry-failed', `it answered ${status}`, 'backoff')
}

/** The host alone: addresses of blobs carry signatures that belong in no log. */
const hostOf = (location: string | undefined): string =>
  location !== undefined && URL.canParse(location) ? new URL(location).host : 'another place'

async function whole({ body }: HttpResponse, what: string): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > largestDocument) throw new Fault('image/malformed', `Cannot read ${what}: it is larger than 4 MiB`, 'when-changed')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function drain({ body }: HttpResponse): Promise<void> {
  if (!(body instanceof Uint8Array)) for await (const _ of body);
}
