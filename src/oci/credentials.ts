import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Who we are to a registry, asked for each time a login is needed: secrets rotate. */
export type CredentialsOf = (registry: string) => Promise<Credentials | undefined>

/** Docker Hub is written in several ways, and never by its own host. */
const hub = ['docker.io', 'index.docker.io', 'registry-1.docker.io']

/** Reads `.dockerconfigjson` as `kubectl create secret docker-registry` writes it. Nothing of it is repeated in a fault. */
export function credentialsIn(text: string, registry: string): Credentials | undefined {
  const wrong = (found: string): Fault =>
    new Fault('image/bad-credentials', `Cannot read the credentials of ${registry}: ${found}`, 'when-changed', {
      hint: 'make the Secret with: kubectl create secret docker-registry',
    })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw wrong('the Secret holds no JSON')
  }
  const auths = isObject(json) && isObject(json['auths']) ? json['auths'] : undefined
  if (!auths) throw wrong('the Secret names no registries')
  const wanted = hub.includes(registry) ? hub : [registry]
  const entry = Object.entries(auths).find(([name]) => wanted.includes(hostOf(name)))?.[1]
  if (entry === undefined) return undefined
  if (!isObject(entry)) throw wrong('its entry is not an object')
  if (typeof entry['username'] === 'string' && typeof entry['password'] === 'string')
    return { username: entry['username'], password: entry['password'] }
  if (typeof entry['auth'] !== 'string') throw wrong('its entry has neither auth nor username and password')
  const decoded = Buffer.from(entry['auth'], 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1) throw wrong('its auth is no pair of name and password')
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

/** Keys are hosts, or URLs of the first version of the registry's API. */
const hostOf = (key: string): string =>
  key
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase()
