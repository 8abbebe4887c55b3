import { ApiError } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Api } from '../call.ts'
import { objectKey } from '../resource.ts'
import { commit } from '../verbs/commit.ts'
import type { Chores } from './chores.ts'

/** Every namespace has a default ServiceAccount and, where there is a CA, the ConfigMap that clients inside a cluster trust it by. */
export function keepServiceAccounts(api: Api, chores: Chores, caCertificate: string | undefined): () => void {
  const look = (name: string): void => chores.do(`service account of ${name}`, () => furnish(api, name, caCertificate))
  for (const entry of api.world.list('/namespaces')) look(entry.key)
  return api.world.observe(changes => {
    for (const { entry, type } of changes) {
      if (entry.resource === '/namespaces' && type !== 'DELETED') look(entry.key)
      if ((entry.resource === '/serviceaccounts' || entry.resource === '/configmaps') && type === 'DELETED')
        look(entry.key.slice(0, entry.key.indexOf('/')))
    }
  })
}

async function furnish(api: Api, namespace: string, caCertificate: string | undefined): Promise<void> {
  await ensure(api, namespace, '/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } })
  if (caCertificate === undefined) return
  await ensure(api, namespace, '/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', namespace },
    data: { 'ca.crt': caCertificate },
  })
}

async function ensure(api: Api, namespace: string, resource: string, object: KubeObject): Promise<void> {
  const key = objectKey(namespace, object.metadata.name)
  const home = api.world.get('/namespaces', namespace)
  if (!home || home.object.metadata.deletionTimestamp !== undefined || api.world.get(resource, key)) return
  const metadata = { ...object.metadata, uid: api.ids.uid(), creationTimestamp: printInstant(api.clock.now()) }
  await commit(api, resource, key, false, current => {
    if (!api.world.get('/namespaces', namespace)) throw new ApiError('Conflict', `namespace ${namespace} is gone`)
    return current ? { keep: current } : { put: { ...object, metadata } }
  })
}
