import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { DiscoveryConfigs } from '../../ports/host-images.ts'
import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { notFound, withoutBody, wrongMethod } from '../answers.ts'

export interface DiscoveryOptions {
  readonly baseUrl: string
  /** At least 32 bytes that nobody else knows, the same after a restart. */
  readonly key: Uint8Array
}

export interface DiscoveryServing extends DiscoveryConfigs {
  /** Undefined where the request is for somebody else. */
  handler(request: HttpRequest): HttpResponse | undefined
}

const shape = /^\/discovery\/([0-9a-f-]{1,64})\/config\.ign$/

/**
 * Serves configurations of the assisted agent. What proves that somebody may read one stands behind the question mark: there it is
 * told nowhere else, neither in logs nor in conditions.
 */
export function openDiscovery({ baseUrl, key }: DiscoveryOptions): DiscoveryServing {
  const root = baseUrl.replace(/\/$/, '')
  const kept = new Map<string, { readonly bytes: Uint8Array; isWanted(): boolean }>()
  const proof = (uid: string): string => createHmac('sha256', key).update('rackwright discovery\n').update(uid).digest('hex').slice(0, 32)
  return {
    keep(uid, ignition, isWanted = () => true) {
      const bytes = Buffer.from(JSON.stringify(ignition))
      kept.set(uid, { bytes, isWanted })
      const content = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
      return `${root}/discovery/${uid}/config.ign?v=${content}&key=${proof(uid)}`
    },
    drop: uid => void kept.delete(uid),
    handler({ method, url }) {
      const [path = '', query = ''] = url.split('?', 2)
      if (!path.startsWith('/discovery/')) return undefined
      const [, uid = ''] = shape.exec(path) ?? []
      const found = kept.get(uid)
      const shown = new URLSearchParams(query).get('key') ?? ''
      const given = createHash('sha256').update(shown).digest()
      const wanted = createHash('sha256').update(proof(uid)).digest()
      // One answer for all that cannot be had: it tells nobody what exists.
      const answer: HttpResponse =
        timingSafeEqual(given, wanted) && found?.isWanted()
          ? {
              status: 200,
              headers: {
                'content-type': 'application/vnd.coreos.ignition+json',
                'content-length': String(found.bytes.length),
                'cache-control': 'no-store',
              },
              body: found.bytes,
            }
          : notFound
      if (method === 'HEAD') return withoutBody(answer)
      return method === 'GET' ? answer : wrongMethod('GET, HEAD')
    },
  }
}
