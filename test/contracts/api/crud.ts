import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { refused } from './host.ts'
import { cms, configMap, secret, widget } from './objects.ts'

export function objectCases(bench: Bench): void {
  it('create answers 201 with uid, revision and creation time', async () => {
    const { code, body } = await bench.api.post(cms(bench.ns), configMap(bench.fresh('made'), { data: { a: '1' } }))
    expect(code).toBe(201)
    expect(body.metadata).toMatchObject({
      namespace: bench.ns,
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resourceVersion: expect.stringMatching(/^\d+$/),
    })
    expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(body.data).toEqual({ a: '1' })
  })
  it('create ignores uid, revision and times that the client sends', async () => {
    const name = bench.fresh('forged')
    const forged = { name, uid: 'x', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, deletionTimestamp: '2001-01-01T00:00:00Z' }
    const { code, body } = await bench.api.post(cms(bench.ns), { ...configMap(name), metadata: forged })
    expect(code).toBe(201)
    expect(body.metadata.uid).not.toBe('x')
    expect(body.metadata.creationTimestamp).not.toMatch(/^2001/)
    expect(body.metadata.deletionTimestamp).toBeUndefined()
  })
  it('create refuses a name that is taken', async () => {
    const name = bench.fresh('twice')
    await bench.api.post(cms(bench.ns), configMap(name))
    const again = await bench.api.post(cms(bench.ns), configMap(name))
    refused(again, 409, 'AlreadyExists')
    expect(again.body.details).toMatchObject({ name, kind: 'configmaps' })
  })
  it('create makes a name from generateName', async () => {
    const { code, body } = await bench.api.post(cms(bench.ns), { ...configMap(''), metadata: { generateName: 'gen-' } })
    expect(code).toBe(201)
    expect(body.metadata.name).toMatch(/^gen-[a-z0-9]{5}$/)
    expect(body.metadata.generateName).toBe('gen-')
  })
  it('create without any name is refused', async () =>
    refused(await bench.api.post(cms(bench.ns), { ...configMap(''), metadata: {} }), 422, 'Invalid'))
  it('create with dryRun shows the result and stores nothing', async () => {
    const name = bench.fresh('dry')
    const { code, body } = await bench.api.post(`${cms(bench.ns)}?dryRun=All`, configMap(name))
    expect(code).toBe(201)
    expect(body.metadata.uid).toBeTruthy()
    refused(await bench.api.get(`${cms(bench.ns)}/${name}`), 404, 'NotFound')
  })
  it('create in a namespace that does not exist is refused', async () =>
    refused(await bench.api.post(cms('nowhere'), configMap('x')), 404, 'NotFound'))
  it('create refuses a body of another namespace', async () => {
    refused(await bench.api.post(cms(bench.ns), { ...configMap('x'), metadata: { name: 'x', namespace: 'other' } }), 400, 'BadRequest')
  })
  for (const name of ['Upper', 'with_underscore', '-dash', 'dot..dot', 'x'.repeat(254), 'a/b', 'ü']) {
    it(`create refuses the name ${name.slice(0, 20)}`, async () =>
      refused(await bench.api.post(cms(bench.ns), configMap(name)), 422, 'Invalid'))
  }
  it('get answers the object as created', async () => {
    const name = bench.fresh('got')
    const made = await bench.api.post(cms(bench.ns), configMap(name, { data: { k: 'ü €' } }))
    const { code, body } = await bench.api.get(`${cms(bench.ns)}/${name}`)
    expect(code).toBe(200)
    expect(body.metadata.uid).toBe(made.body.metadata.uid)
    expect(body.data).toEqual({ k: 'ü €' })
  })
  it('get of nothing is a NotFound that names it', async () => {
    const answer = await bench.api.get(`${cms(bench.ns)}/absent`)
    refused(answer, 404, 'NotFound')
    expect(answer.body).toMatchObject({ message: 'configmaps "absent" not found', details: { name: 'absent', kind: 'configmaps' } })
  })
  it('get of a resource that is not served is a NotFound', async () => {
    expect((await bench.api.get('/apis/nothing.example/v1/things')).code).toBe(404)
  })
  it('update replaces the object and moves its revision', async () => {
    const name = bench.fresh('put')
    const made = await bench.api.post(cms(bench.ns), configMap(name, { data: { a: '1' } }))
    const { code, body } = await bench.api.put(`${cms(bench.ns)}/${name}`, { ...made.body, data: { b: '2' } })
    expect(code).toBe(200)
    expect(body.data).toEqual({ b: '2' })
    expect(body.metadata.resourceVersion).not.toBe(made.body.metadata.resourceVersion)
    expect(body.metadata.uid).toBe(made.body.metadata.uid)
  })
  it('update with an old revision is a Conflict, and writes nothing', async () => {
    const name = bench.fresh('stale')
    const made = await bench.api.post(cms(bench.ns), configMap(name, { data: { a: '1' } }))
    await bench.api.put(`${cms(bench.ns)}/${name}`, { ...made.body, data: { a: '2' } })
    refused(await bench.api.put(`${cms(bench.ns)}/${name}`, { ...made.body, data: { a: '3' } }), 409, 'Conflict')
    expect((await bench.api.get(`${cms(bench.ns)}/${name}`)).body.data).toEqual({ a: '2' })
  })
  it('update that changes nothing keeps the revision', async () => {
    const name = bench.fresh('same')
    const made = await bench.api.post(cms(bench.ns), configMap(name, { data: { a: '1' } }))
    const { body } = await bench.api.put(`${cms(bench.ns)}/${name}`, made.body)
    expect(body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion)
  })
  it('update of another uid is a Conflict', async () => {
    const name = bench.fresh('uid')
    const made = await bench.api.post(cms(bench.ns), configMap(name))
    const other = { ...made.body, metadata: { ...made.body.metadata, uid: '00000000-0000-0000-0000-000000000000' } }
    refused(await bench.api.put(`${cms(bench.ns)}/${name}`, other), 409, 'Conflict')
  })
  it('update of nothing is a NotFound', async () =>
    refused(await bench.api.put(`${cms(bench.ns)}/absent`, configMap('absent')), 404, 'NotFound'))
  it('update under another name is refused', async () =>
    refused(await bench.api.put(`${cms(bench.ns)}/one`, configMap('two')), 400, 'BadRequest'))

  it('a Secret turns stringData into data and is Opaque by default', async () => {
    const { body } = await bench.api.post(
      `/api/v1/namespaces/${bench.ns}/secrets`,
      secret(bench.fresh('s'), { stringData: { user: 'root' } }),
    )
    expect(body).toMatchObject({ type: 'Opaque', data: { user: 'cm9vdA==' } })
    expect(body.stringData).toBeUndefined()
  })
  it('an immutable ConfigMap cannot be changed', async () => {
    const name = bench.fresh('stone')
    const made = await bench.api.post(cms(bench.ns), configMap(name, { data: { a: '1' }, immutable: true }))
    refused(await bench.api.put(`${cms(bench.ns)}/${name}`, { ...made.body, data: { a: '2' } }), 422, 'Invalid')
  })
  it("a Secret's type cannot be changed", async () => {
    const name = bench.fresh('typed')
    const made = await bench.api.post(`/api/v1/namespaces/${bench.ns}/secrets`, secret(name, { type: 'example.com/a' }))
    refused(await bench.api.put(`/api/v1/namespaces/${bench.ns}/secrets/${name}`, { ...made.body, type: 'example.com/b' }), 422, 'Invalid')
  })

  it('a Lease is let go by an empty holder, as client-go does, and lasts longer than nothing', async () => {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${bench.ns}/leases`
    const lease = (holderIdentity: string, leaseDurationSeconds: number) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: bench.fresh('lease') },
      spec: { holderIdentity, leaseDurationSeconds },
    })
    expect((await bench.api.post(leases, lease('', 1))).body.spec.holderIdentity).toBe('')
    refused(await bench.api.post(leases, lease('a', 0)), 422, 'Invalid')
    refused(await bench.api.post(leases, lease('a', -1)), 422, 'Invalid')
  })

  const widgets = (): string => `/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`
  it('generation starts at 1, counts changes of spec, and not those of metadata or status', async () => {
    const name = bench.fresh('gen')
    const made = await bench.api.post(widgets(), widget(bench.group, name))
    expect(made.body.metadata.generation).toBe(1)
    const spec = await bench.api.put(`${widgets()}/${name}`, { ...made.body, spec: { size: 4 } })
    expect(spec.body.metadata.generation).toBe(2)
    const label = await bench.api.put(`${widgets()}/${name}`, { ...spec.body, metadata: { ...spec.body.metadata, labels: { a: 'b' } } })
    expect(label.body.metadata.generation).toBe(2)
    const status = await bench.api.put(`${widgets()}/${name}/status`, { ...label.body, status: { phase: 'Ready' } })
    expect(status.body.metadata.generation).toBe(2)
    expect(status.body.status).toEqual({ phase: 'Ready' })
  })
  it('status is written through its subresource alone, and spec is not', async () => {
    const name = bench.fresh('parts')
    const made = await bench.api.post(widgets(), widget(bench.group, name, { size: 1 }, { status: { phase: 'Forged' } }))
    expect(made.body.status).toBeUndefined()
    const status = await bench.api.put(`${widgets()}/${name}/status`, { ...made.body, spec: { size: 99 }, status: { phase: 'Seen' } })
    expect(status.body).toMatchObject({ spec: { size: 1 }, status: { phase: 'Seen' } })
    const main = await bench.api.put(`${widgets()}/${name}`, { ...status.body, spec: { size: 2 }, status: { phase: 'Forged' } })
    expect(main.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'Seen' } })
  })
  it('update of a custom resource without a revision is refused', async () => {
    const name = bench.fresh('blind')
    await bench.api.post(widgets(), widget(bench.group, name))
    refused(await bench.api.put(`${widgets()}/${name}`, widget(bench.group, name, { size: 9 })), 422, 'Invalid')
  })
  it('labels and annotations are checked', async () => {
    const bad = (metadata: Record<string, unknown>) =>
      bench.api.post(cms(bench.ns), { ...configMap('x'), metadata: { name: bench.fresh('lab'), ...metadata } })
    refused(await bad({ labels: { 'bad key': 'x' } }), 422, 'Invalid')
    refused(await bad({ labels: { ok: 'x'.repeat(64) } }), 422, 'Invalid')
    refused(await bad({ annotations: { '': 'x' } }), 422, 'Invalid')
    refused(await bad({ annotations: { big: 'x'.repeat(256 * 1024 + 1) } }), 422, 'Invalid')
  })
}
