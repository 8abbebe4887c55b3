import type { KubeObject } from '../../core/object.ts'
import type { Transport } from '../../ports/index.ts'

/** The mark that somebody else leaves on an object; end states are compared without it. */
export const touched = 'sim.rackwright.dev/touched'

/** What others do to an object between our look at it and our write to it. */
export function somebodyActs(transport: Transport, path: string): { overtake(): Promise<void>; recreate(): Promise<void> } {
  const url = path.replace(/\/(?:status|scale|finalize)$/, '')
  const send = (method: string, at: string, body?: object, type = 'application/json') =>
    transport({
      method,
      url: at,
      headers: { accept: 'application/json', 'content-type': type },
      ...(body ? { body: new TextEncoder().encode(JSON.stringify(body)) } : {}),
    })
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
