/** How a registry wants to be spoken to (`WWW-Authenticate`). */
export type Challenge =
  | { readonly is: 'basic' }
  | { readonly is: 'bearer'; readonly realm: URL; readonly service?: string }
  | { readonly is: 'unknown' }

export function readChallenge(header: string | undefined): Challenge {
  if (/^basic\b/i.test(header ?? '')) return { is: 'basic' }
  if (!/^bearer\s/i.test(header ?? '')) return { is: 'unknown' }
  const parameters = Object.fromEntries([...(header ?? '').matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]))
  const { realm, service } = parameters
  if (realm === undefined || !URL.canParse(realm)) return { is: 'unknown' }
  return { is: 'bearer', realm: new URL(realm), ...(service === undefined ? {} : { service }) }
}

/** Hosts that hand out tokens for a registry of another name. */
const known: Readonly<Record<string, string>> = { 'registry-1.docker.io': 'auth.docker.io' }

/**
 * Whether credentials for a registry may go to its token service: on the registry's own host, on the domain that the registry is
 * part of, or where somebody said so. Anything else could be anybody.
 */
export function mayHaveCredentials(realm: URL, registry: URL, listed: readonly string[]): boolean {
  if (realm.protocol !== registry.protocol && realm.protocol !== 'https:') return false
  if (realm.host === registry.host || known[registry.host] === realm.host || listed.includes(realm.host)) return true
  return realm.protocol === 'https:' && realm.hostname.includes('.') && registry.hostname.endsWith(`.${realm.hostname}`)
}
