import { expect, it } from 'vitest'
import { releaseFinalizers } from '../../src/cli/operator/release.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import { client } from '../contracts/api/host.ts'
import { widget, widgetCrd } from '../contracts/api/objects.ts'

it('our finalizers are taken off, others’ stay, and an object that only we held can be deleted with nobody there', async () => {
  const host = await embeddedHost()
  const [group, path] = ['release.rackwright.test', '/apis/release.rackwright.test/v1/namespaces/default/widgets']
  const api = client(host.transport)
  await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd(group))
  const make = (name: string, finalizers: readonly string[]) => api.post(path, { ...widget(group, name), metadata: { name, finalizers } })
  await make('held', [`${group}/hold`])
  await make('shared', [`${group}/hold`, 'example.com/other'])
  await make('free', ['example.com/other'])
  await api.delete(`${path}/held`)
  const widgets: ResourceRef = { group, version: 'v1', plural: 'widgets', namespaced: true }
  expect(await releaseFinalizers(kubeClient(host.transport, { clock: wallClock, ids: randomIds }), widgets)).toBe(2)
  expect((await api.get(`${path}/held`)).code).toBe(404)
  expect((await api.get(`${path}/shared`)).body.metadata.finalizers).toEqual(['example.com/other'])
  expect((await api.get(`${path}/free`)).body.metadata.finalizers).toEqual(['example.com/other'])
  await host.close()
})
