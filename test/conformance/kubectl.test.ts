import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kubectl, kubectlFor, noKubectl } from './kubectl.ts'
import { type Running, startRackwright } from './running.ts'

const missing = noKubectl()
const crds = new URL('../../config/crd', import.meta.url).pathname
const configMap = (name: string, data: Record<string, string>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

describe.skipIf(missing)(`kubectl against the embedded API${missing ? `: ${missing}` : ''}`, () => {
  let running: Running
  let kubectl: Kubectl
  const ok = async (args: string | readonly string[], input?: string, env?: Readonly<Record<string, string>>): Promise<string> => {
    const { code, out, err } = await kubectl(args, input, env)
    expect({ args, code, err: code === 0 ? '' : err }).toEqual({ args, code: 0, err: '' })
    return out
  }
  beforeAll(async () => {
    running = await startRackwright()
    kubectl = kubectlFor(running.kubeconfig)
  })
  afterAll(() => running?.stop())

  it('get crds lists ours', async () => expect(await ok('get crds')).toContain('servers.metal.ironcore.dev'))
  it('apply -f config/crd takes every CRD, again too', async () => {
    expect(await ok(['apply', '-f', crds])).toContain('customresourcedefinition.apiextensions.k8s.io/servers.metal.ironcore.dev')
    expect(await ok(['apply', '-f', crds])).toMatch(/servers\.metal\.ironcore\.dev (unchanged|configured)/)
  })
  it('create secret, namespace, configmap, serviceaccount, role, job and token send protobuf and are understood', async () => {
    expect(await ok('create namespace made')).toBe('namespace/made created\n')
    expect(await ok('create secret generic pass -n made --from-literal=user=root')).toBe('secret/pass created\n')
    expect(await ok('get secret pass -n made -o jsonpath={.data.user}')).toBe('cm9vdA==')
    expect(await ok('create configmap conf -n made --from-literal=a=1')).toBe('configmap/conf created\n')
    expect(await ok('create serviceaccount robot -n made')).toBe('serviceaccount/robot created\n')
    expect(await ok('create role reader -n made --verb=get,list --resource=secrets')).toContain(
      'role.rbac.authorization.k8s.io/reader created',
    )
    expect(await ok('create rolebinding reads -n made --role=reader --serviceaccount=made:robot')).toContain('reads created')
    expect(await ok('create clusterrole seer --verb=get --resource=namespaces')).toContain('seer created')
    expect(await ok('create clusterrolebinding sees --clusterrole=seer --user=eve')).toContain('sees created')
    expect(await ok('create job work -n made --image=registry.example/work:1 -- run')).toBe('job.batch/work created\n')
    expect(await ok('get job work -n made -o jsonpath={.spec.template.spec.containers[0].command}')).toBe('["run"]')
  })
  it('a token made by create token is let in, with the rights of its account', async () => {
    await ok('create namespace tokens')
    await ok('create serviceaccount bot -n tokens')
    await ok('create secret generic hidden -n tokens --from-literal=a=b')
    const token = (await ok('create token bot -n tokens')).trim()
    const config = JSON.parse(await ok('config view --raw -o json')) as { clusters: { cluster: object }[] }
    const file = join(running.home, 'bot.kubeconfig')
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'c', cluster: config.clusters[0]?.cluster }],
        users: [{ name: 'u', user: { token } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'tokens' } }],
        'current-context': 'x',
      }),
    )
    const asBot = { KUBECONFIG: file }
    expect(await ok('auth whoami', undefined, asBot)).toContain('system:serviceaccount:tokens:bot')
    expect((await kubectl('get secret hidden', undefined, asBot)).err).toContain('forbidden')
    await ok('create role reader -n tokens --verb=get --resource=secrets')
    await ok('create rolebinding reads -n tokens --role=reader --serviceaccount=tokens:bot')
    expect(await ok('get secret hidden -o name', undefined, asBot)).toBe('secret/hidden\n')
    expect((await kubectl('auth can-i delete secrets', undefined, asBot)).out).toMatch(/^no/)
  })
  it('re-apply of a Secret changes what changed, and only then', async () => {
    const secret = (value: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'again' }, stringData: { a: value } })
    expect(await ok('apply -f -', secret('1'))).toBe('secret/again created\n')
    expect(await ok('apply -f -', secret('2'))).toBe('secret/again configured\n')
    expect(await ok('get secret again -o jsonpath={.data.a}')).toBe('Mg==')
    const plain = configMap('steady', { a: '1' })
    await ok('apply -f -', plain)
    expect(await ok('apply -f -', plain)).toBe('configmap/steady unchanged\n')
  })
  it('get -w shows what happens while it looks', async () => {
    const child = spawn('kubectl', ['get', 'configmaps', '-w', '--field-selector=metadata.name=seen'], {
      env: { ...process.env, KUBECONFIG: running.kubeconfig },
    })
    const rows = new Promise<string>(resolve => {
      let text = ''
      child.stdout.on('data', chunk => {
        text += chunk
        if ((text.match(/^seen /gm) ?? []).length >= 2) resolve(text)
      })
    })
    // The watch may begin before or after the object is made; either way both states are told.
    await ok('apply -f -', configMap('seen', { a: '1' }))
    for (let i = 2; i < 40; i += 1) {
      const told = await Promise.race([
        rows,
        ok('apply -f -', configMap('seen', Object.fromEntries(Array.from({ length: i }, (_, k) => [`k${k}`, 'x'])))).then(() => undefined),
      ])
      if (told !== undefined) break
    }
    expect(await rows).toMatch(/NAME\s+DATA\s+AGE\nseen\s+\d+/)
    child.kill()
  })
  it('describe shows an object with its events', async () => {
    await ok('create configmap told --from-literal=a=1')
    const uid = await ok('get configmap told -o jsonpath={.metadata.uid}')
    const now = new Date().toISOString().replace(/\.\d+/, '')
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'told.1', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'told', namespace: 'default', uid },
      reason: 'Looked',
      message: 'somebody looked at it',
      type: 'Normal',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      source: { component: 'test' },
    }
    await ok('create -f -', JSON.stringify(event))
    expect(await ok('describe configmap told')).toContain('somebody looked at it')
    expect(await ok('get events')).toContain('somebody looked at it')
    expect(await ok('events')).toContain('somebody looked at it')
    expect(await ok('describe namespace default')).toContain('Active')
  })
  it('edit sends what the editor changed', async () => {
    await ok('create configmap edited --from-literal=a=1')
    await ok('edit configmap edited', undefined, { EDITOR: 'sed -i \'s/a: "1"/a: "2"/\'' })
    expect(await ok('get configmap edited -o jsonpath={.data.a}')).toBe('2')
  })
  it('patch, label, annotate and scale of types', async () => {
    await ok('create configmap patched --from-literal=a=1')
    await ok(['patch', 'configmap', 'patched', '--type=merge', '-p', '{"data":{"b":"2"}}'])
    await ok(['patch', 'configmap', 'patched', '--type=json', '-p', '[{"op":"remove","path":"/data/a"}]'])
    await ok(['patch', 'configmap', 'patched', '-p', '{"data":{"c":"3"}}'])
    expect(JSON.parse(await ok('get configmap patched -o jsonpath={.data}'))).toEqual({ b: '2', c: '3' })
    await ok('label configmap patched tier=gold')
    await ok('annotate configmap patched note=yes')
    expect(await ok('get configmaps -l tier=gold -o name')).toBe('configmap/patched\n')
    await ok('label configmap patched tier-')
    expect(await ok('get configmaps -l tier=gold -o name')).toBe('')
  })
  it('delete cascades as asked: background, orphan, foreground', async () => {
    for (const policy of ['background', 'orphan', 'foreground']) {
      await ok(`create configmap owner-${policy}`)
      const uid = await ok(`get configmap owner-${policy} -o jsonpath={.metadata.uid}`)
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${policy}`, uid, blockOwnerDeletion: true }
      await ok(
        'create -f -',
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `child-${policy}`, ownerReferences: [owner] } }),
      )
      expect(await ok(`delete configmap owner-${policy} --cascade=${policy}`)).toContain('deleted')
      if (policy === 'orphan') expect(await ok(`get configmap child-${policy} -o jsonpath={.metadata.ownerReferences}`)).toBe('')
      else await ok(`wait --for=delete configmap/child-${policy} --timeout=120s`)
    }
  })
  it('wait sees a condition and a deletion', async () => {
    expect(await ok('wait --for=condition=Established crd/servers.metal.ironcore.dev --timeout=120s')).toContain('condition met')
    await ok('create namespace going')
    await ok('create configmap inside -n going')
    await ok('delete namespace going --wait=false')
    await ok('wait --for=delete namespace/going --timeout=120s')
  })
  it('explain tells of our fields, and of built-in ones', async () => {
    expect(await ok('explain serverclaim.spec')).toMatch(/image\s+<string>/)
    expect(await ok('explain secret.data')).toContain('data <map[string]string>')
    expect(await ok('explain job.spec.template.spec --recursive')).toContain('containers')
  })
  it('api-resources and api-versions list every group', async () => {
    expect(await ok('api-resources')).toMatch(/servers\s+srv\s+metal\.ironcore\.dev\/v1alpha1\s+false\s+Server/)
    expect(await ok('api-versions')).toContain('metal.ironcore.dev/v1alpha1')
  })
  it('auth can-i and whoami know who asks', async () => {
    expect((await ok('auth can-i create servers.metal.ironcore.dev')).trim()).toBe('yes')
    expect((await kubectl('auth can-i delete secrets --as=eve')).out).toMatch(/^no/)
    expect(await ok('auth whoami')).toContain('rackwright-admin')
    expect(await ok('auth can-i --list')).toContain('*.*')
  })
  it('a custom resource is created, shown in columns, applied again, replaced and deleted', async () => {
    const manifest = (image: string) =>
      `apiVersion: metal.ironcore.dev/v1alpha1\nkind: ServerClaim\nmetadata:\n  name: one\n  namespace: default\nspec:\n  power: "On"\n  image: ${image}\n`
    expect(await ok('apply -f -', manifest('os:1'))).toContain('serverclaim.metal.ironcore.dev/one created')
    expect(await ok('apply -f -', manifest('os:2'))).toContain('configured')
    expect(await ok('apply -f -', manifest('os:2'))).toContain('unchanged')
    expect(await ok('get scl one -o jsonpath={.metadata.generation}')).toBe('2')
    expect(await ok('get serverclaims')).toMatch(/^NAME/)
    expect(await ok('diff -f -', manifest('os:2'))).toBe('')
    const { out } = await kubectl('get scl one -o yaml')
    await ok('replace -f -', out.replace('os:2', 'os:3'))
    expect(await ok('delete scl one')).toContain('"one" deleted')
  })
  it('a mistake in a manifest is told with its field', async () => {
    const bad =
      'apiVersion: metal.ironcore.dev/v1alpha1\nkind: ServerClaim\nmetadata: {name: bad, namespace: default}\nspec: {power: "On", image: x, bootPolicy: {firstBoot: Floppy}}\n'
    const { code, err } = await kubectl('apply -f -', bad)
    expect(code).not.toBe(0)
    expect(err).toContain('firstBoot')
    const typo = await kubectl('apply -f -', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typo}\ndatta: {}\n')
    expect(typo.err).toContain('unknown field "datta"')
  })
  it('a list in chunks is whole', async () => {
    const many = Array.from({ length: 25 }, (_, i) => configMap(`many-${i}`, { a: '1' }))
      // A stream of JSON: with YAML's lines between, how kubectl reads it depends on the pieces in which it comes.
      .join('\n')
    await ok('create -f -', many)
    const names = (await ok('get configmaps --chunk-size=4 -o name')).split('\n').filter(line => line.startsWith('configmap/many-'))
    expect(names).toHaveLength(25)
    await ok('delete configmap --field-selector=metadata.name=many-0')
  })
})
