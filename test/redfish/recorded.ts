import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../src/core/json.ts'
import type { BmcAccess, HttpResponse, Transport } from '../../src/ports/index.ts'

/** Trees recorded from real machines; they stand beside the repository, not in it. */
export const recordings = new URL('../../../shared/fixtures/redfish/', import.meta.url).pathname

export const isRecorded = (name: string): boolean => existsSync(join(recordings, name))

export interface Recorded {
  readonly transport: Transport
  /** Verb and path of every request, in order. */
  readonly asked: readonly string[]
  /** Every path that any answer linked. */
  readonly linked: ReadonlySet<string>
}

/** Serves a recorded tree: reads, sessions, and expansion where the tree's own root offers it (`expands` false turns that off). */
export function recorded(name: string, expands = true): Recorded {
  const asked: string[] = []
  const linked = new Set(['/redfish/v1/', '/redfish/v1'])
  const load = (path: string): Record<string, unknown> | undefined => {
    const file = join(recordings, name, decodeURIComponent(path), 'index.json')
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  }
  const transport: Transport = async request => {
    asked.push(`${request.method} ${request.url}`)
    if (request.method === 'POST' && request.url.endsWith('/Sessions'))
      return answer(201, {}, { 'x-auth-token': 'recorded-token', location: `${request.url}/1` })
    if (request.method === 'DELETE') return answer(204, undefined)
    if (request.method !== 'GET') return answer(405, { error: { code: 'Base.1.0.OperationNotAllowed' } })
    const [path = '', query] = request.url.split('?')
    const body = load(path)
    if (!body) return answer(404, { error: { code: 'Base.1.0.ResourceMissingAtURI' } })
    if (path.replace(/\/$/, '') === '/redfish/v1' && !expands) delete body['ProtocolFeaturesSupported']
    const levels = Number(/\$levels=(\d)/.exec(query ?? '')?.[1] ?? 0)
    const shown = query?.startsWith('$expand') ? expanded(body, levels, load) : body
    note(shown, linked)
    return answer(200, shown)
  }
  return { transport, asked, linked }
}

/** Replaces links, except those under `Links`, by what they lead to. */
function expanded(value: unknown, levels: number, load: (path: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => expanded(item, levels, load))
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  const id = value['@odata.id']
  if (keys.length === 1 && typeof id === 'string' && levels > 0) {
    const found = load(id.split('#', 1)[0] ?? '')
    return found === undefined ? value : expanded(found, levels - 1, load)
  }
  return Object.fromEntries(keys.map(key => [key, key === 'Links' ? value[key] : expanded(value[key], levels, load)]))
}

function note(value: unknown, linked: Set<string>): void {
  if (typeof value === 'string' && value.startsWith('/')) linked.add(value.split('#', 1)[0]!)
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) note(item, linked)
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
})

export const anyAccess = (more: Partial<BmcAccess> = {}): BmcAccess => ({
  address: 'https://bmc.test',
  tls: { trust: 'System' },
  credentials: async () => ({ username: 'root', password: 'calvin-secret' }),
  ...more,
})
