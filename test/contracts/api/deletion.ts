import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Body, eventually, refused } from './host.ts'
import { cms, configMap, namespace, secret } from './objects.ts'

export function deletionCases(bench: Bench): void {
  const gone = async (path: string): Promise<boolean> => (await bench.api.get(path)).code === 404
  const create = async (name: string, metadata: Record<string, unknown> = {}): Promise<Body> => {
    const { code, body } = await bench.api.post(cms(bench.ns), { ...configMap(name), metadata: { name, ...metadata } })
    expect(code).toBe(201)
    return body
  }
  const ownedBy = (owner: Body, more: Record<string, unknown> = {}) => ({
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more }],
  })
  const at = (name: string): string => `${cms(bench.ns)}/${name}`

  it('delete answers Success and the object is gone', async () => {
    const name = bench.fresh('d')
    const { metadata } = await create(name)
    const { code, body } = await bench.api.delete(at(name))
    expect(code).toBe(200)
    expect(body).toMatchObject({ kind: 'Status', status: 'Success', details: { name, kind: 'configmaps', uid: metadata.uid } })
    refused(await bench.api.get(at(name)), 404, 'NotFound')
  })
  it('delete of nothing is a NotFound', async () => refused(await bench.api.delete(at('absent')), 404, 'NotFound'))
  it('delete holds to its preconditions', async () => {
    const name = bench.fresh('d')
    const { metadata } = await create(name)
    refused(await bench.api.delete(at(name), { preconditions: { uid: 'another' } }), 409, 'Conflict')
    refused(await bench.api.delete(at(name), { preconditions: { resourceVersion: '1' } }), 409, 'Conflict')
    expect(
      (await bench.api.delete(at(name), { preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion } })).code,
    ).toBe(200)
  })
  it('delete with dryRun keeps the object', async () => {
    const name = bench.fresh('d')
    await create(name)
    expect((await bench.api.delete(`${at(name)}?dryRun=All`)).code).toBe(200)
    expect((await bench.api.get(at(name))).code).toBe(200)
  })
  it('a finalizer holds an object, marked, until it leaves', async () => {
    const name = bench.fresh('held')
    await create(name, { finalizers: ['example.com/hold'] })
    const { code, body } = await bench.api.delete(at(name))
    expect(code).toBe(200)
    expect(body.metadata.deletionTimestamp).toBeTruthy()
    expect((await bench.api.get(at(name))).body.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp)
    refused(await bench.api.patch(at(name), { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }), 422, 'Invalid')
    expect((await bench.api.patch(at(name), { metadata: { finalizers: null } })).code).toBe(200)
    expect(await gone(at(name))).toBe(true)
  })
  it('a second delete of a held object changes nothing', async () => {
    const name = bench.fresh('held')
    await create(name, { finalizers: ['example.com/hold'] })
    const first = await bench.api.delete(at(name))
    const second = await bench.api.delete(at(name))
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
    await bench.api.patch(at(name), { metadata: { finalizers: null } })
  })
  it('deletecollection deletes what is selected, and nothing else', async () => {
    const [one, two, three] = [bench.fresh('dc'), bench.fresh('dc'), bench.fresh('dc')]
    await create(one, { labels: { batch: 'x' } })
    await create(two, { labels: { batch: 'x' } })
    await create(three)
    expect((await bench.api.delete(`${cms(bench.ns)}?labelSelector=batch%3Dx`)).code).toBe(200)
    expect([await gone(at(one)), await gone(at(two)), await gone(at(three))]).toEqual([true, true, false])
  })
  it('dependents of a deleted owner are collected', async () => {
    const [owner, child] = [bench.fresh('owner'), bench.fresh('child')]
    await create(child, ownedBy(await create(owner)))
    await bench.api.delete(at(owner), { propagationPolicy: 'Background' })
    await eventually(() => gone(at(child)), bench.pause)
  })
  it('a dependent with another living owner stays, without the dead reference', async () => {
    const [first, second, child] = [bench.fresh('owner'), bench.fresh('owner'), bench.fresh('child')]
    const refs = [await create(first), await create(second)].flatMap(owner => ownedBy(owner).ownerReferences)
    await create(child, { ownerReferences: refs })
    await bench.api.delete(at(first))
    await eventually(async () => (await bench.api.get(at(child))).body.metadata?.ownerReferences?.length === 1, bench.pause)
    expect((await bench.api.get(at(child))).body.metadata.ownerReferences[0].name).toBe(second)
  })
  it('orphaned dependents stay, without a reference', async () => {
    const [owner, child] = [bench.fresh('owner'), bench.fresh('child')]
    await create(child, ownedBy(await create(owner)))
    await bench.api.delete(at(owner), { propagationPolicy: 'Orphan' })
    await eventually(() => gone(at(owner)), bench.pause)
    expect((await bench.api.get(at(child))).body.metadata.ownerReferences).toBeUndefined()
  })
  it('foreground deletion takes the dependents that block first, the owner last', async () => {
    const [owner, child] = [bench.fresh('owner'), bench.fresh('child')]
    await create(child, { ...ownedBy(await create(owner), { blockOwnerDeletion: true }), finalizers: ['example.com/hold'] })
    const marked = await bench.api.delete(at(owner), { propagationPolicy: 'Foreground' })
    expect(marked.body.metadata.finalizers).toContain('foregroundDeletion')
    await eventually(async () => (await bench.api.get(at(child))).body.metadata?.deletionTimestamp !== undefined, bench.pause)
    expect(await gone(at(owner))).toBe(false)
    await bench.api.patch(at(child), { metadata: { finalizers: null } })
    await eventually(() => gone(at(owner)), bench.pause)
    expect(await gone(at(child))).toBe(true)
  })
  it('an object whose owner never existed is collected', async () => {
    const child = bench.fresh('stray')
    await create(child, {
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '11111111-1111-1111-1111-111111111111' }],
    })
    await eventually(() => gone(at(child)), bench.pause)
  })
  it('an owner of the same name but another uid does not count', async () => {
    const [owner, child] = [bench.fresh('owner'), bench.fresh('child')]
    const first = await create(owner)
    await bench.api.delete(at(owner))
    await create(owner)
    await create(child, ownedBy(first))
    await eventually(() => gone(at(child)), bench.pause)
  })
  it('delete refuses an unknown propagation policy', async () => {
    const name = bench.fresh('d')
    await create(name)
    refused(await bench.api.delete(at(name), { propagationPolicy: 'Sideways' }), 422, 'Invalid')
  })
  it('a namespace goes with everything in it', async () => {
    const ns = bench.fresh('doomed')
    await bench.api.post('/api/v1/namespaces', namespace(ns))
    await bench.api.post(cms(ns), configMap('inside'))
    await bench.api.post(`/api/v1/namespaces/${ns}/secrets`, secret('inside'))
    const { code, body } = await bench.api.delete(`/api/v1/namespaces/${ns}`)
    expect(code).toBe(200)
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } })
    await eventually(() => gone(`/api/v1/namespaces/${ns}`), bench.pause)
    refused(await bench.api.get(`${cms(ns)}/inside`), 404, 'NotFound')
  })
  it('a namespace that is being deleted takes nothing new, and says what holds it', async () => {
    const ns = bench.fresh('doomed')
    await bench.api.post('/api/v1/namespaces', namespace(ns))
    await bench.api.post(cms(ns), { ...configMap('stuck'), metadata: { name: 'stuck', finalizers: ['example.com/hold'] } })
    await bench.api.delete(`/api/v1/namespaces/${ns}`)
    refused(await bench.api.post(cms(ns), configMap('new')), 403, 'Forbidden')
    const condition = async (): Promise<Body> =>
      (await bench.api.get(`/api/v1/namespaces/${ns}`)).body.status?.conditions?.find((c: Body) => c.type === 'NamespaceContentRemaining')
    await eventually(async () => (await condition())?.status === 'True', bench.pause)
    await bench.api.patch(`${cms(ns)}/stuck`, { metadata: { finalizers: null } })
    await eventually(() => gone(`/api/v1/namespaces/${ns}`), bench.pause)
  })
  it('finalize takes the last hold off a namespace, and nothing else does', async () => {
    const ns = bench.fresh('held')
    await bench.api.post('/api/v1/namespaces', namespace(ns))
    await bench.api.post(cms(ns), { ...configMap('stuck'), metadata: { name: 'stuck', finalizers: ['example.com/hold'] } })
    const { body } = await bench.api.delete(`/api/v1/namespaces/${ns}`)
    const plain = await bench.api.put(`/api/v1/namespaces/${ns}`, {
      ...body,
      metadata: { ...body.metadata, resourceVersion: '' },
      spec: { finalizers: [] },
    })
    expect(plain.body.spec.finalizers).toEqual(['kubernetes'])
    const { code } = await bench.api.put(`/api/v1/namespaces/${ns}/finalize`, {
      ...plain.body,
      metadata: { name: ns },
      spec: { finalizers: [] },
    })
    expect(code).toBe(200)
    await eventually(() => gone(`/api/v1/namespaces/${ns}`), bench.pause)
  })
  it('every namespace has a default ServiceAccount, and gets it back', async () => {
    const ns = bench.fresh('home')
    await bench.api.post('/api/v1/namespaces', namespace(ns))
    const account = `/api/v1/namespaces/${ns}/serviceaccounts/default`
    await eventually(async () => (await bench.api.get(account)).code === 200, bench.pause)
    await bench.api.delete(account)
    await eventually(async () => (await bench.api.get(account)).code === 200, bench.pause)
  })
}
