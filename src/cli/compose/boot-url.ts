import { ApiError } from '../../api/status.ts'
import { isObject } from '../../core/json.ts'
import type { Kube, Reader, ResourceRef } from '../../ports/index.ts'
import { managerNamespace } from './manager-namespace.ts'

const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const name = 'boot-server'

/** Says where machines reach the boot server, for people and for `doctor`: nothing that decides reads it. */
export async function publishBootUrl(kube: Kube, url: string, namespace: string = managerNamespace): Promise<void> {
  const data = { url }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
  const key = { name, namespace }
  if ((await kube.find(configMaps, key)) === undefined) {
    try {
      await kube.create(configMaps, object)
      return
    } catch (error) {
      // Another replica that started at the same moment was quicker.
      if (!ApiError.is(error, 'AlreadyExists')) throw error
    }
  }
  await kube.patch(configMaps, key, { merge: { data } })
}

export async function readBootUrl(kube: Reader, namespace: string = managerNamespace): Promise<string | undefined> {
  const data = (await kube.find(configMaps, { name, namespace }))?.['data']
  return isObject(data) && typeof data['url'] === 'string' ? data['url'] : undefined
}
