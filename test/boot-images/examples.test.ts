import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { openshiftKinds } from '../../src/api/kinds.ts'
import { histories } from '../../src/controllers/boot-images/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { type ResourceRef, resourceOf } from '../../src/ports/index.ts'
import { testWorld } from '../runtime/world.ts'

const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const folder = join(import.meta.dirname, '../../examples/boot-images')

it('BI-054 BI-066 BI-071 BI-078 BI-088 BI-094 the manifests of the seed apply as they stand, with their placeholders filled', async () => {
  const world = await testWorld(openshiftKinds)
  await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openshift-cluster-api' } })
  const applied: string[] = []
  for (const file of ['machine-configuration.yaml', 'capi-machine-set.yaml', 'history.yaml'])
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) {
      const { status, ...object } = document.toJSON() as KubeObject & { status?: object }
      const kind = openshiftKinds.find(one => one.kind === object.kind && object.apiVersion === `${one.group}/${one.version}`)!
      const metadata = { ...(kind.scope === 'Namespaced' ? { namespace: 'default' } : {}), ...object.metadata }
      const made = await world.kube.create(resourceOf(kind), { ...object, metadata }, { fieldValidation: 'Strict' })
      if (status)
        await world.kube.patch(resourceOf(kind), made.metadata, { merge: { status } }, { subresource: 'status', fieldValidation: 'Strict' })
      applied.push(`${made.kind} ${made.metadata.name}`)
    }
  expect(applied).toEqual([
    'MachineConfiguration cluster',
    'MachineSet worker-a',
    'GCPMachineTemplate worker-a',
    'BootImageHistory djoshy10-2tcqv-worker-a-mapi-machineset',
    'BootImageHistory djoshy10-2tcqv-worker-a',
  ])
  const [first] = (await world.kube.list(histories, { namespace: 'default' })).items
  expect(first?.status?.details?.map(({ configMapGeneration }) => configMapGeneration)).toEqual([2, 3])
  await world.close()
})
