import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { type Connection, loadConnection } from '../../src/kube/index.ts'
import { credentialsFor } from '../../src/kube/kubeconfig/credentials.ts'
import { inCluster } from '../../src/kube/kubeconfig/in-cluster.ts'
import { stepClock } from './fakes.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackwright-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string, content: string | object): string => {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : stringify(content))
  return file
}
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const config = (user: object, cluster: object = {}, context: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'here',
  clusters: [{ name: 'c', cluster: { server: 'https://api.example.org:6443', ...cluster } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...context } }],
})

/** What goes over the wire, in the oracle's words. */
async function wire(connection: Connection) {
  const { headers, certificate } = await credentialsFor(connection.login, stepClock()).current()
  const { tls } = connection
  return {
    server: connection.server,
    namespace: connection.namespace,
    ca: tls.authority,
    cert: certificate?.certificate ?? tls.certificate,
    key: certificate?.key ?? tls.key,
    serverName: tls.serverName,
    insecure: tls.insecure === true,
    authorization: headers['authorization'],
  }
}

/** The same from the JavaScript client of the Kubernetes project. */
async function oracle(file: string): Promise<Awaited<ReturnType<typeof wire>>> {
  const kc = new KubeConfig()
  kc.loadFromFile(file)
  const options: Record<string, unknown> & { headers?: Record<string, string>; auth?: string } = {}
  await kc.applyToHTTPSOptions(options)
  const text = (value: unknown): string | undefined =>
    value === undefined || value === null ? undefined : Buffer.from(value as string).toString()
  return {
    server: kc.getCurrentCluster()?.server ?? '',
    namespace: kc.getContextObject(kc.getCurrentContext())?.namespace ?? 'default',
    ca: text(options['ca']),
    cert: text(options['cert']),
    key: text(options['key']),
    serverName: options['servername'] as string | undefined,
    insecure: options['rejectUnauthorized'] === false,
    authorization: options.headers?.['Authorization'] ?? (options.auth ? `Basic ${base64(options.auth)}` : undefined),
  }
}

const plugin = put(
  'plugins/login',
  `#!/bin/sh
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-'$WHO-$1'"}}'
`,
)
chmodSync(plugin, 0o755)
put('pki/ca.crt', 'CA FILE')
put('pki/client.crt', 'CERT FILE')
put('pki/client.key', 'KEY FILE')
put('pki/token', 'token-of-file\n')

describe('a kubeconfig means the same to us and to the JavaScript client of Kubernetes:', () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'plugins/login',
    args: ['x y'],
    env: [{ name: 'WHO', value: 'me' }],
    interactiveMode: 'Never',
  }
  const cases = {
    'a token': config({ token: 'abc' }),
    'a password': config({ username: 'eve', password: 'p:w' }),
    'certificates as data': config(
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { 'certificate-authority-data': base64('CA') },
    ),
    'certificates in files beside it': config(
      { 'client-certificate': 'pki/client.crt', 'client-key': 'pki/client.key' },
      { 'certificate-authority': 'pki/ca.crt' },
    ),
    'a token together with a certificate': config({
      token: 'abc',
      'client-certificate-data': base64('CERT'),
      'client-key-data': base64('KEY'),
    }),
    'an exec plugin': config({ exec: { ...exec, command: join(folder, 'plugins/login') } }),
    'a namespace': config({ token: 'abc' }, {}, { namespace: 'metal' }),
    'a server name': config({ token: 'abc' }, { 'tls-server-name': 'other.example.org' }),
    'no user at all': config({}),
    'a server that is not to be checked': config({ token: 'abc' }, { 'insecure-skip-tls-verify': true }),
  }
  it.each(Object.entries(cases))('%s', async (_, content) => {
    const file = put('config', content)
    expect(await wire(await loadConnection({ file, allowInsecure: true }))).toEqual(await oracle(file))
  })

  it('several files in KUBECONFIG', async () => {
    const first = { clusters: config({}).clusters, contexts: config({}).contexts }
    const second = { 'current-context': 'here', users: [{ name: 'u', user: { token: 'abc' } }] }
    const list = [put('a/one', first), join(folder, 'not-there'), put('b/two', second)].join(delimiter)
    const ours = await loadConnection({ env: { KUBECONFIG: list } })
    expect(await wire(ours)).toMatchObject({ server: 'https://api.example.org:6443', authorization: 'Bearer abc' })
    const kc = new KubeConfig()
    kc.loadFromFile(join(folder, 'a/one'))
    const other = new KubeConfig()
    other.loadFromFile(join(folder, 'b/two'))
    kc.mergeConfig(other)
    expect([kc.getCurrentCluster()?.server, kc.getCurrentUser()?.token]).toEqual([ours.server, 'abc'])
  })
})

describe('a kubeconfig means what Go clients take it for, where the JavaScript one differs:', () => {
  it('a token file beside it', async () => {
    const file = put('config', config({ tokenFile: 'pki/token', token: 'beaten by the file' }))
    expect(await wire(await loadConnection({ file }))).toMatchObject({ authorization: 'Bearer token-of-file' })
  })

  it('data that beats a file', async () => {
    const file = put('config', config({}, { 'certificate-authority': 'pki/ca.crt', 'certificate-authority-data': base64('CA') }))
    expect(await wire(await loadConnection({ file }))).toMatchObject({ ca: 'CA' })
  })
})

describe('a list of kubeconfigs', () => {
  it('takes each name from the first file that has it, whole, with paths beside that file', async () => {
    put('first/ca', 'FIRST CA')
    put('second/ca', 'SECOND CA')
    const first = put('first/config', { ...config({ token: 'first' }, { 'certificate-authority': 'ca' }), 'current-context': '' })
    const second = put(
      'second/config',
      config({ token: 'second' }, { 'certificate-authority': 'ca', 'tls-server-name': 'x' }, { namespace: 'second' }),
    )
    const connection = await loadConnection({ env: { KUBECONFIG: [first, second].join(delimiter) } })
    expect(connection).toMatchObject({ namespace: 'default', tls: { authority: 'FIRST CA' }, login: { token: 'first' } })
    expect(connection.tls.serverName).toBeUndefined()
  })

  it('is ~/.kube/config when nothing else is said', async () => {
    put('home/.kube/config', config({ token: 'home' }))
    expect((await loadConnection({ env: { HOME: join(folder, 'home') } })).login).toEqual({ by: 'token', token: 'home' })
  })
})

describe('a kubeconfig is refused, with what to do,', () => {
  const refusals: [string, object | string, RegExp][] = [
    ['when it says not to check the server', config({}, { 'insecure-skip-tls-verify': true }), /not to check its certificate/],
    ['when the server is plain HTTP', config({}, { server: 'http://api.example.org' }), /plain HTTP/],
    ['when it is no YAML', 'a: b: c', /Cannot read kubeconfig .*config/],
    ['when it is a list', '- a', /it is not a mapping/],
    ['when no context is current', { ...config({}), 'current-context': '' }, /no context is current/],
    ['when the context is missing', { ...config({}), 'current-context': 'there' }, /there is no context "there"/],
    ['when the cluster is missing', config({}, {}, { cluster: 'x' }), /names cluster "x", which is not there/],
    ['when the user is missing', config({}, {}, { user: 'x' }), /names user "x", which is not there/],
    ['when two users have one name', { ...config({}), users: [{ name: 'u' }, { name: 'u' }] }, /two users named "u"/],
    ['when a certificate has no key', config({ 'client-certificate-data': base64('C') }), /without its key/],
    ['when a file is missing', config({}, { 'certificate-authority': 'nowhere.crt' }), /certificate-authority .*nowhere\.crt: ENOENT/],
    ['when it needs a proxy', config({}, { 'proxy-url': 'http://proxy' }), /proxy-url/],
    ['when it uses an auth-provider', config({ 'auth-provider': { name: 'gcp' } }), /auth-provider/],
    [
      'when its plugin wants a person',
      config({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Always' } }),
      /a person/,
    ],
    [
      'when its plugin is of an old version',
      config({ exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' } }),
      /v1alpha1/,
    ],
  ]
  it.each(refusals)('%s', async (_, content, message) => {
    await expect(loadConnection({ file: put('config', content) })).rejects.toThrow(message)
  })

  it('when the file that was named is not there', async () => {
    await expect(loadConnection({ file: join(folder, 'nowhere') })).rejects.toThrow(/Cannot read kubeconfig .*nowhere: ENOENT/)
  })

  it('when there is none at all', async () => {
    await expect(loadConnection({ env: { HOME: join(folder, 'nobody') } })).rejects.toThrow(
      /there is no .*nobody\/\.kube\/config, and this is not a pod/,
    )
  })
})

describe('a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
  it('uses its own ServiceAccount', async () => {
    put('pod/ca.crt', 'POD CA')
    put('pod/token', 'one')
    put('pod/namespace', 'metal\n')
    expect(await inCluster(env, join(folder, 'pod'))).toMatchObject({
      server: 'https://10.0.0.1:443',
      namespace: 'metal',
      tls: { authority: 'POD CA' },
      login: { by: 'token-file' },
    })
    expect(await inCluster({ ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }, join(folder, 'pod'))).toMatchObject({
      server: 'https://[fd00::1]:443',
    })
  })

  it('that mounts none is told so', async () => {
    await expect(inCluster(env, join(folder, 'no-pod'))).rejects.toThrow(/Cannot use the ServiceAccount of this pod/)
  })
})

describe('credentials', () => {
  const token = async (credentials: ReturnType<typeof credentialsFor>) => (await credentials.current()).headers['authorization']

  it('of a file are read again after a minute, and at once when they were refused', async () => {
    const clock = stepClock()
    const path = put('rotating', 'one')
    const credentials = credentialsFor({ by: 'token-file', path }, clock)
    expect(await token(credentials)).toBe('Bearer one')
    put('rotating', 'two')
    await clock.advance(59_000)
    expect(await token(credentials)).toBe('Bearer one')
    await clock.advance(1_000)
    expect(await token(credentials)).toBe('Bearer two')
    put('rotating', 'three')
    expect(credentials.refused()).toBe(true)
    expect(await token(credentials)).toBe('Bearer three')
  })

  it('of a file that vanished stay in use while there is nothing better', async () => {
    const clock = stepClock()
    const path = put('vanishing', 'one')
    const credentials = credentialsFor({ by: 'token-file', path }, clock)
    await credentials.current()
    rmSync(path)
    await clock.advance(120_000)
    expect(await token(credentials)).toBe('Bearer one')
  })

  /** A plugin that counts how often it ran. */
  const counting = (name: string, status: string): Parameters<typeof credentialsFor>[0] => {
    const file = put(
      `plugins/${name}`,
      `#!/bin/sh
echo run >> '${join(folder, name)}.runs'
n=$(wc -l < '${join(folder, name)}.runs' | tr -d ' ')
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}'
`,
    )
    chmodSync(file, 0o755)
    const about = {
      apiVersion: 'client.authentication.k8s.io/v1',
      args: [],
      env: {},
      installHint: 'Get it from example.org.',
      cluster: undefined,
    }
    return { by: 'exec', plugin: { ...about, command: file } }
  }

  it('of an exec plugin are made once for all who wait, and again when they end', async () => {
    const clock = stepClock()
    const end = new Date(clock.now() + 60_000).toISOString()
    const credentials = credentialsFor(counting('ends', `{"token":"t'$n'","expirationTimestamp":"${end}"}`), clock)
    expect(await Promise.all([token(credentials), token(credentials)])).toEqual(['Bearer t1', 'Bearer t1'])
    expect(await token(credentials)).toBe('Bearer t1')
    await clock.advance(51_000)
    expect(await token(credentials)).toBe('Bearer t2')
  })

  it('of an exec plugin may be a certificate', async () => {
    const credentials = credentialsFor(counting('certifies', '{"clientCertificateData":"C","clientKeyData":"K"}'), stepClock())
    expect(await credentials.current()).toEqual({ headers: {}, certificate: { certificate: 'C', key: 'K' } })
  })

  it.each([
    ['nothing useful', '{}', /gave neither a token nor a certificate/],
    ['something else', '{"token":1', /did not print an ExecCredential/],
  ])('of an exec plugin that prints %s are refused without repeating it', async (name, status, message) => {
    await expect(credentialsFor(counting(name.replace(' ', '-'), status), stepClock()).current()).rejects.toThrow(message)
  })

  it('of an exec plugin that is not installed tell how to get it', async () => {
    const login = counting('gone', '{}')
    if (login.by === 'exec') rmSync(login.plugin.command)
    await expect(credentialsFor(login, stepClock()).current()).rejects.toMatchObject({
      message: expect.stringContaining('is not installed'),
      hint: 'Get it from example.org.',
    })
  })
})
