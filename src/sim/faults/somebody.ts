import { seconds } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, HttpResponse, Transport } from '../../ports/index.ts'

/** The mark that somebody else leaves on an object; end states are compared without it. */
export const touched = 'sim.rackwright.dev/touched'

const tries = 30

/** What others do to an object between our look at it and our write to it. */
export function somebodyActs(transport: Transport, clock: Clock, path: string): { overtake(): Promise<void>; recreate(): Promise<void> } {
  const url = path.replace(/\/(?:status|scale|finalize)$/, '')
  const send = async (method: string, at: string, body?: object, type = 'application/json'): Promise<HttpResponse> => {
    const headers = { accept: 'application/json', 'content-type': type }
    const request = { method, url: at, headers, ...(body ? { body: new TextEncoder().encode(JSON.stringify(body)) } : {}) }
    for (let i = 1; ; i++) {
      try {
        return await transport(request)
      } catch (error) {
        // The server may be away just now; people try again.
        if (i === tries) throw error
        await clock.sleep(seconds(1))
      }
    }
  }
  const merge = (patch: object) => send('PATCH', url, patch, 'application/merge-patch+json')
  return {
    async overtake() {
      await merge({ metadata: { annotations: { [touched]: 'true' } } })
    },
    async recreate() {
      const found = await send('GET', url)
      if (found.status !== 200 || !(found.body instanceof Uint8Array)) return
      const { apiVersion, kind, metadata, spec } = JSON.parse(new TextDecoder().decode(found.body)) as KubeObject
      const { name, namespace, deletionTimestamp } = metadata
      // What is being removed is not wanted any more: to make it anew would be another story.
      if (deletionTimestamp !== undefined) return
      await send('DELETE', url)
      await merge({ metadata: { finalizers: null } })
      await send('POST', url.slice(0, url.lastIndexOf('/')), { apiVersion, kind, metadata: { name, namespace }, spec })
    },
  }
}
