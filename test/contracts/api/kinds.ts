import { describe, expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import type { Body } from './host.ts'

interface Sample {
  readonly path: (ns: string, group: string) => string
  readonly apiVersion: string
  readonly kind: string
  /** What an object holds besides apiVersion, kind and metadata. */
  readonly content: Readonly<Record<string, unknown>>
  /** Another content that an update may bring. */
  readonly changed: Readonly<Record<string, unknown>>
  /** What `kubectl get` shows. */
  readonly columns: readonly string[]
  /** Where the collection may be deleted as a whole. */
  readonly collection?: false
}

const ns = (group: string, plural: string) => (namespace: string) => `${group}/namespaces/${namespace}/${plural}`
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const rule = (verb: string) => ({ apiGroups: [''], resources: ['configmaps'], verbs: [verb] })
const pod = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'example.com/c:1' }] }
const subjects = (name: string) => [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }]
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }

const samples: readonly Sample[] = [
  {
    path: ns('/api/v1', 'secrets'),
    apiVersion: 'v1',
    kind: 'Secret',
    content: { data: { a: 'YQ==' } },
    changed: { data: { b: 'Yg==' } },
    columns: ['Name', 'Type', 'Data', 'Age'],
  },
  {
    path: ns('/api/v1', 'serviceaccounts'),
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    content: { automountServiceAccountToken: false },
    changed: { automountServiceAccountToken: true },
    columns: ['Name', 'Age'],
  },
  {
    path: ns('/api/v1', 'events'),
    apiVersion: 'v1',
    kind: 'Event',
    content: { involvedObject: { kind: 'ConfigMap', name: 'x', namespace: 'contract' }, reason: 'Seen', message: 'once', count: 1 },
    changed: { involvedObject: { kind: 'ConfigMap', name: 'x', namespace: 'contract' }, reason: 'Seen', message: 'twice', count: 2 },
    columns: ['Last Seen', 'Type', 'Reason', 'Object', 'Subobject', 'Source', 'Message', 'First Seen', 'Count', 'Name'],
  },
  {
    path: ns('/apis/coordination.k8s.io/v1', 'leases'),
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    content: { spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } },
    changed: { spec: { holderIdentity: 'b', leaseDurationSeconds: 15 } },
    columns: ['Name', 'Holder', 'Age'],
  },
  {
    path: ns('/apis/batch/v1', 'jobs'),
    apiVersion: 'batch/v1',
    kind: 'Job',
    content: { spec: { suspend: true, template: { spec: pod } } },
    changed: { spec: { suspend: false } },
    columns: ['Name', 'Status', 'Completions', 'Duration', 'Age', 'Containers', 'Images', 'Selector'],
  },
  {
    path: ns(rbac, 'roles'),
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    content: { rules: [rule('get')] },
    changed: { rules: [rule('list')] },
    columns: ['Name', 'Created At'],
  },
  {
    path: ns(rbac, 'rolebindings'),
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    content: { subjects: subjects('a'), roleRef },
    changed: { subjects: subjects('b'), roleRef },
    columns: ['Name', 'Role', 'Age', 'Users', 'Groups', 'ServiceAccounts'],
  },
  {
    path: () => `${rbac}/clusterroles`,
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    content: { rules: [rule('get')] },
    changed: { rules: [rule('list')] },
    columns: ['Name', 'Created At'],
  },
  {
    path: () => `${rbac}/clusterrolebindings`,
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    content: { subjects: subjects('a'), roleRef },
    changed: { subjects: subjects('b'), roleRef },
    columns: ['Name', 'Role', 'Age', 'Users', 'Groups', 'ServiceAccounts'],
  },
  {
    path: () => '/api/v1/namespaces',
    apiVersion: 'v1',
    kind: 'Namespace',
    content: {},
    changed: {},
    columns: ['Name', 'Status', 'Age'],
    collection: false,
  },
  {
    path: (namespace, group) => `/apis/${group}/v1/namespaces/${namespace}/widgets`,
    apiVersion: 'contract.rackwright.test/v1',
    kind: 'Widget',
    content: { spec: { size: 1 } },
    changed: { spec: { size: 2, color: 'red' } },
    columns: ['Name', 'Size'],
  },
]

/** Every verb of every kind that both hosts serve: the same words get the same answers. */
export function kindCases(bench: Bench): void {
  for (const sample of samples) describe(sample.kind, () => casesOf(bench, sample))
}

function casesOf(bench: Bench, sample: Sample): void {
  const { apiVersion, kind, content, changed } = sample
  const path = (): string => sample.path(bench.ns, bench.group)
  const make = async (labels: Record<string, string> = {}): Promise<Body> => {
    const name = bench.fresh(kind.toLowerCase())
    const { code, body } = await bench.api.post(path(), { apiVersion, kind, metadata: { name, labels }, ...content })
    expect({ code, said: code === 201 ? '' : body.message }).toEqual({ code: 201, said: '' })
    return body
  }
  const at = (object: Body): string => `${path()}/${object.metadata.name}`

  it('create answers what was sent, with an identity', async () => {
    const made = await make()
    expect(made).toMatchObject({ apiVersion, kind, ...content })
    expect(made.metadata).toMatchObject({ uid: expect.any(String), resourceVersion: expect.stringMatching(/^\d+$/) })
  })
  it('get answers the same object', async () => {
    const made = await make()
    const { body } = await bench.api.get(at(made))
    expect({ ...body.metadata, managedFields: 0 }).toEqual({ ...made.metadata, managedFields: 0 })
    expect(body).toMatchObject({ apiVersion, kind, ...content })
  })
  it('list finds it by label, in a list of its kind', async () => {
    const made = await make({ 'kinds.test/mark': kind })
    const { body } = await bench.api.get(`${path()}?labelSelector=kinds.test%2Fmark%3D${kind}`)
    expect(body).toMatchObject({ apiVersion, kind: `${kind}List` })
    expect(body.items.map((item: Body) => item.metadata.uid)).toContain(made.metadata.uid)
  })
  it('update replaces its content and keeps its identity', async () => {
    const made = await make()
    const next = { ...made, ...changed, ...(kind === 'Job' ? { spec: { ...made.spec, ...(changed['spec'] as object) } } : {}) }
    const { code, body } = await bench.api.put(at(made), next)
    expect(code).toBe(200)
    expect(body).toMatchObject(changed)
    expect(body.metadata.uid).toBe(made.metadata.uid)
  })
  it('a merge patch of a label changes nothing else', async () => {
    const made = await make()
    const { code, body } = await bench.api.patch(at(made), { metadata: { labels: { patched: 'yes' } } })
    expect(code).toBe(200)
    expect(body.metadata.labels).toMatchObject({ patched: 'yes' })
    expect(body).toMatchObject(content)
  })
  it('watch tells its life in order', async () => {
    const from = (await bench.api.get(`${path()}?limit=1`)).body.metadata.resourceVersion
    const made = await make()
    await bench.api.patch(at(made), { metadata: { labels: { seen: 'yes' } } })
    const query = `watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3D${made.metadata.name}`
    const told = await bench.api.watch(`${path()}?${query}`, seen => seen.some(e => e.object.metadata.labels?.seen === 'yes'))
    expect(told[0]).toMatchObject({ type: 'ADDED', object: { kind, metadata: { name: made.metadata.name } } })
    expect(told.slice(1).every(e => e.type === 'MODIFIED')).toBe(true)
  })
  it('a Table shows it as kubectl prints it', async () => {
    const made = await make()
    const { body } = await bench.api.get(
      `${path()}?fieldSelector=metadata.name%3D${made.metadata.name}`,
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    )
    expect(body.columnDefinitions.map((column: Body) => column.name)).toEqual(sample.columns)
    expect(body.rows).toHaveLength(1)
    expect(body.rows[0].cells).toHaveLength(sample.columns.length)
    expect(body.rows[0].cells).toContain(made.metadata.name)
  })
  it('delete takes it away', async () => {
    const made = await make()
    expect((await bench.api.delete(at(made), { propagationPolicy: 'Background' })).code).toBe(200)
    const left = await bench.api.get(at(made))
    expect(left.code === 404 || left.body.metadata.deletionTimestamp !== undefined).toBe(true)
  })
  if (sample.collection !== false)
    it('deletecollection takes those that are selected', async () => {
      const [one, two] = [await make({ 'kinds.test/drop': kind }), await make()]
      const { code } = await bench.api.delete(`${path()}?labelSelector=kinds.test%2Fdrop%3D${kind}`, { propagationPolicy: 'Background' })
      expect(code).toBe(200)
      expect((await bench.api.get(at(one))).code).toBe(404)
      expect((await bench.api.get(at(two))).code).toBe(200)
    })
}
