import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/core/object.ts'
import type { Kube, KubeEvent, ResourceRef } from '../../src/ports/index.ts'

/** A way to an API server, and a namespace of it for one test alone. */
export interface Way {
  /** As an administrator. */
  readonly kube: Kube
  /** As somebody who may do nothing. */
  readonly nobody: Kube
  readonly namespace: string
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}
export const configMaps: ResourceRef<ConfigMap> = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
/** Servers put config maps of their own into a namespace; ours have a label. */
export const make = (name: string, namespace: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { ours: 'yes' } },
  data,
})

/** What a client and a server owe each other, whichever server it is. */
export function clientSuite(name: string, open: () => Promise<Way>): void {
  describe(`the client and ${name}:`, () => {
    it('create, read, update, patch and delete an object', async () => {
      const { kube, namespace } = await open()
      const created = await kube.create(configMaps, make('a', namespace, { x: '1' }))
      expect(created.metadata.uid).toBeTypeOf('string')
      expect(await kube.get(configMaps, created.metadata)).toEqual(created)
      const updated = await kube.update(configMaps, { ...created, data: { x: '2' } })
      await expect(kube.update(configMaps, { ...created, data: { x: '3' } })).rejects.toMatchObject({ reason: 'Conflict' })
      expect((await kube.patch(configMaps, created.metadata, { merge: { data: { y: '1' } } })).data).toEqual({ x: '2', y: '1' })
      expect((await kube.patch(configMaps, created.metadata, { strategic: { data: { x: null } } })).data).toEqual({ y: '1' })
      expect((await kube.patch(configMaps, created.metadata, { json: [{ op: 'add', path: '/data/z', value: '9' }] })).data).toEqual({
        y: '1',
        z: '9',
      })
      await expect(kube.delete(configMaps, created.metadata, { uid: 'another' })).rejects.toMatchObject({ reason: 'Conflict' })
      await expect(kube.delete(configMaps, created.metadata, { revision: updated.metadata.resourceVersion! })).rejects.toMatchObject({
        reason: 'Conflict',
      })
      await kube.delete(configMaps, created.metadata, { uid: created.metadata.uid! })
      expect(await kube.find(configMaps, created.metadata)).toBeUndefined()
    })

    it('name an object by generateName', async () => {
      const { kube, namespace } = await open()
      const { name } = (await kube.create(configMaps, { ...make('', namespace), metadata: { generateName: 'job-', namespace } })).metadata
      expect(name).toMatch(/^job-.{5}$/)
    })

    it('tell refusals as they are: exists, forbidden, not served', async () => {
      const { kube, nobody, namespace } = await open()
      await kube.create(configMaps, make('a', namespace))
      await expect(kube.create(configMaps, make('a', namespace))).rejects.toMatchObject({
        reason: 'AlreadyExists',
        details: { name: 'a', kind: 'configmaps' },
      })
      await expect(kube.find({ ...configMaps, plural: 'configs' }, { name: 'a', namespace })).rejects.toMatchObject({
        reason: 'NotFound',
      })
      await expect(nobody.get(configMaps, { name: 'a', namespace })).rejects.toMatchObject({
        reason: 'Forbidden',
      })
    })

    it('list more objects than fit a page, at one revision, by selector', async () => {
      const { kube, namespace } = await open()
      const names = Array.from({ length: 1_100 }, (_, i) => `m-${String(i).padStart(4, '0')}`)
      await Promise.all(
        names.map(name =>
          kube.create(configMaps, {
            ...make(name, namespace),
            metadata: { name, namespace, labels: { ours: 'yes', odd: String(Number(name.slice(2)) % 2) } },
          }),
        ),
      )
      expect((await kube.list(configMaps, { namespace, labels: 'odd' })).items.map(({ metadata }) => metadata.name)).toEqual(names)
      expect((await kube.list(configMaps, { labels: 'odd=1' })).items).toHaveLength(550)
      expect((await kube.list(configMaps, { fields: 'metadata.name=m-0007' })).items).toHaveLength(1)
    })

    it('watch: the whole state, then every change, in order', async () => {
      const { kube, namespace } = await open()
      await kube.create(configMaps, make('a', namespace))
      const stop = new AbortController()
      const seen: string[] = []
      for await (const batch of kube.watch(configMaps, { namespace, labels: 'ours' }, stop.signal)) {
        for (const event of batch) {
          seen.push(told(event))
          if (event.type === 'BOOKMARK' && event.complete) {
            await kube.create(configMaps, make('b', namespace))
            await kube.patch(configMaps, { name: 'a', namespace }, { merge: { data: { x: '1' } } })
            await kube.delete(configMaps, { name: 'b', namespace })
          }
          if (event.type === 'DELETED') stop.abort()
        }
      }
      expect(seen).toEqual(['ADDED a', 'complete', 'ADDED b', 'MODIFIED a', 'DELETED b'])
    })

    it('watch: a state too large for one buffer is told all the same', async () => {
      const { kube, namespace } = await open()
      const large = 'x'.repeat(500_000)
      await Promise.all(Array.from({ length: 12 }, (_, i) => kube.create(configMaps, make(`large-${i}`, namespace, { large }))))
      const stop = new AbortController()
      let names = new Set<string>()
      for await (const batch of kube.watch(configMaps, { namespace, labels: 'ours' }, stop.signal)) {
        for (const event of batch) {
          if (event.type === 'ADDED') names.add(event.object.metadata.name)
          if (event.type === 'RELIST') names = new Set()
          if (event.type === 'BOOKMARK' && event.complete) stop.abort()
        }
      }
      expect(names.size).toBe(12)
    })
  })
}

export const told = (event: KubeEvent<KubeObject>): string => {
  if (event.type === 'BOOKMARK') return event.complete ? 'complete' : 'bookmark'
  return event.type === 'RELIST' || event.type === 'INTERRUPTED' ? event.type : `${event.type} ${event.object.metadata.name}`
}
