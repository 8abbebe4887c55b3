import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { crdOf } from '../../src/api/crd.ts'
import { metal3Kinds } from '../../src/api/kinds.ts'
import { openApiServer } from '../../src/apiserver/server.ts'
import { memoryStore } from '../../src/apiserver/store/memory.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { dataImages, hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { silent } from '../../src/ports/index.ts'
import { testClock } from '../runtime/clock.ts'

const example = (name: string): KubeObject =>
  parse(readFileSync(new URL(`../../examples/metal3/${name}`, import.meta.url), 'utf8')) as KubeObject

it('DI-012 by the example’s role somebody may attach images to hosts of its namespace and nothing else; without it nobody may', async () => {
  const clock = testClock()
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock, ids: randomIds, log: silent })
  const as = (name: string, ...groups: readonly string[]) =>
    kubeClient(server.transportAs({ name, groups: [...groups, 'system:authenticated'] }), { clock, ids: randomIds })
  const admin = as('admin', 'system:masters')
  const rbac = (plural: string) => ({ group: 'rbac.authorization.k8s.io', version: 'v1', plural, namespaced: true })
  const crds = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
  for (const kind of metal3Kinds) await admin.create(crds, crdOf(kind) as KubeObject)
  await clock.settle()
  for (const name of ['metal-cluster', 'elsewhere'])
    await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const role = example('data-image-rbac.yaml')
  await admin.create(rbac('roles'), role)
  await admin.create(rbac('rolebindings'), {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'attachers', namespace: 'metal-cluster' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  } as unknown as KubeObject)
  const key = { name: 'metal-worker-0', namespace: 'metal-cluster' }
  const image = example('data-image.yaml') as never
  const forbidden = { reason: 'Forbidden' }

  await expect(as('bob').create(dataImages, image)).rejects.toMatchObject(forbidden)
  await as('ann').create(dataImages, image)
  await as('ann').patch(dataImages, key, { merge: { spec: { url: 'http://1.2.3.4/other.iso' } } })
  await expect(as('bob').delete(dataImages, key)).rejects.toMatchObject(forbidden)
  await expect(as('ann').find(hosts, key), 'not even the host is seen').rejects.toMatchObject(forbidden)
  await expect(as('ann').patch(hosts, key, { merge: { spec: { online: true } } })).rejects.toMatchObject(forbidden)
  await expect(as('ann').find(secrets, key)).rejects.toMatchObject(forbidden)
  await expect(as('ann').find(dataImages, { ...key, namespace: 'elsewhere' })).rejects.toMatchObject(forbidden)
  await as('ann').delete(dataImages, key)
  await server.close()
})
