import { isObject } from '../../core/json.ts'
import { put, reach, text } from './reach.ts'

/** What a managed stub should hold besides what its maker put in. */
export interface StubWishes {
  /** The certificate of the machine-config server, PEM; undefined where nobody says which. */
  readonly authority: string | undefined
  /** A user's own Ignition config, to be merged. */
  readonly custom: string | undefined
}

const ours = 'data:application/vnd.rackwright.custom+json;base64,'
const authorities = ['ignition', 'security', 'tls', 'certificateAuthorities']
const merges = ['ignition', 'config', 'merge']

/** The stub as it should be; undefined where it is so already, or cannot be read. */
export function renewedStub(userData: string, { authority, custom }: StubWishes): string | undefined {
  const parsed = read(userData)
  if (!parsed || !text(reach(parsed, 'ignition', 'version'))?.startsWith('3.')) return undefined
  const next = withCustom(authority === undefined ? parsed : withAuthority(parsed, authority), custom)
  const printed = JSON.stringify(next)
  return printed === JSON.stringify(parsed) ? undefined : printed
}

/** One certificate is replaced by another; several, or none, are somebody's own choice. */
function withAuthority(stub: Record<string, unknown>, pem: string): Record<string, unknown> {
  const standing = reach(stub, ...authorities)
  if (!Array.isArray(standing) || standing.length !== 1) return stub
  return put(stub, authorities, [{ source: `data:text/plain;charset=utf-8;base64,${btoa(pem)}` }])
}

function withCustom(stub: Record<string, unknown>, custom: string | undefined): Record<string, unknown> {
  const standing = reach(stub, ...merges)
  const others = Array.isArray(standing) ? standing.filter(entry => !text(reach(entry, 'source'))?.startsWith(ours)) : []
  const wanted = custom !== undefined && isMergeable(custom) ? [...others, { source: `${ours}${base64(custom)}` }] : others
  return wanted.length === 0 && standing === undefined ? stub : put(stub, merges, wanted)
}

const isMergeable = (custom: string): boolean => text(reach(read(custom), 'ignition', 'version'))?.startsWith('3.') === true

const base64 = (given: string): string => btoa(Array.from(new TextEncoder().encode(given), byte => String.fromCharCode(byte)).join(''))

function read(json: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(json)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
