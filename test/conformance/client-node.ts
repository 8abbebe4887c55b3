import * as k8s from '@kubernetes/client-node'
import { beforeAll, describe, expect, it } from 'vitest'

/** Somebody else's JavaScript client, as its users would use it. */
export function clientNodeCases(host: string, kubeconfig: () => string): void {
  describe(`@kubernetes/client-node against ${host}`, () => {
    const config = new k8s.KubeConfig()
    let core: k8s.CoreV1Api
    let custom: k8s.CustomObjectsApi
    beforeAll(() => {
      config.loadFromFile(kubeconfig())
      core = config.makeApiClient(k8s.CoreV1Api)
      custom = config.makeApiClient(k8s.CustomObjectsApi)
    })

    it('creates, reads, replaces, lists and deletes a Secret', async () => {
      const made = await core.createNamespacedSecret({
        namespace: 'default',
        body: { metadata: { name: 'n1' }, stringData: { a: 'b' } } as k8s.V1Secret,
      })
      expect(made.data).toEqual({ a: 'Yg==' })
      const read = await core.readNamespacedSecret({ namespace: 'default', name: 'n1' })
      const replaced = await core.replaceNamespacedSecret({ namespace: 'default', name: 'n1', body: { ...read, data: { c: 'ZA==' } } })
      expect(replaced.data).toEqual({ c: 'ZA==' })
      const { items } = await core.listNamespacedSecret({ namespace: 'default', limit: 1 })
      expect(items).toHaveLength(1)
      await core.deleteNamespacedSecret({ namespace: 'default', name: 'n1' })
      await expect(core.readNamespacedSecret({ namespace: 'default', name: 'n1' })).rejects.toMatchObject({ code: 404 })
    })
    it('uses a custom resource right after defining it', async () => {
      const group = 'node.rackwright.test'
      const extensions = config.makeApiClient(k8s.ApiextensionsV1Api)
      const schema = {
        openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
      }
      await extensions.createCustomResourceDefinition({
        body: {
          metadata: { name: `gears.${group}` },
          spec: {
            group,
            scope: 'Namespaced',
            names: { plural: 'gears', kind: 'Gear' },
            versions: [{ name: 'v1', served: true, storage: true, schema }],
          },
        } as k8s.V1CustomResourceDefinition,
      })
      const body = { apiVersion: `${group}/v1`, kind: 'Gear', metadata: { name: 'g' }, spec: { size: 3 } }
      await custom.createNamespacedCustomObject({ group, version: 'v1', namespace: 'default', plural: 'gears', body })
      const listed = (await custom.listNamespacedCustomObject({ group, version: 'v1', namespace: 'default', plural: 'gears' })) as {
        items: object[]
      }
      expect(listed.items).toMatchObject([{ spec: { size: 3 } }])
    })
    it('hears of changes through its informer', async () => {
      const heard: string[] = []
      const informer = k8s.makeInformer(config, '/api/v1/namespaces/default/configmaps', () =>
        core.listNamespacedConfigMap({ namespace: 'default' }),
      )
      const deleted = new Promise<void>(resolve => {
        informer.on('add', object => void heard.push(`add ${object.metadata?.name}`))
        informer.on('update', object => void heard.push(`update ${object.metadata?.name}`))
        informer.on('delete', object => {
          heard.push(`delete ${object.metadata?.name}`)
          resolve()
        })
      })
      await informer.start()
      await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'heard' } } })
      await core.replaceNamespacedConfigMap({
        namespace: 'default',
        name: 'heard',
        body: { metadata: { name: 'heard' }, data: { a: '1' } },
      })
      await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'heard' })
      await deleted
      await informer.stop()
      expect(heard.filter(line => line.endsWith(' heard'))).toEqual(['add heard', 'update heard', 'delete heard'])
    })
    it('asks what it may do', async () => {
      const auth = config.makeApiClient(k8s.AuthorizationV1Api)
      const review = await auth.createSelfSubjectAccessReview({
        body: { spec: { resourceAttributes: { verb: 'get', resource: 'secrets' } } } as k8s.V1SelfSubjectAccessReview,
      })
      expect(review.status?.allowed).toBe(true)
    })
  })
}
