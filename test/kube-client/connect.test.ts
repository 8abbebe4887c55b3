import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { type Connection, connect, kubeClient } from '../../src/kube/index.ts'
import type { Login } from '../../src/kube/kubeconfig/connection.ts'
import { createAuthority, createClientCertificate, createServerCertificate } from '../../src/net/certificates.ts'
import type { Handler } from '../../src/net/exchange.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type HttpRequest, type ResourceRef, silent } from '../../src/ports/index.ts'

const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const key = { name: 'a', namespace: 'default' }
const life = { now: Date.now(), lasts: 3_600_000 }
const authority = await createAuthority({ commonName: 'test' }, life)
const folder = mkdtempSync(join(tmpdir(), 'rackwright-connect-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

/** A TLS server that answers every request by a rule, and a client that reaches it with the given login. */
async function reach(rule: Handler, login: Login, more: Partial<Connection> = {}) {
  const certificate = await createServerCertificate(authority, { commonName: 'api' }, ['127.0.0.1'], life)
  const serving = await serve({
    handler: rule,
    host: '127.0.0.1',
    port: 0,
    log: silent,
    clock: wallClock,
    tls: { ...certificate, clientAuthority: authority.certificate },
  })
  const connection = {
    server: serving.url,
    namespace: 'default',
    tls: { authority: authority.certificate },
    login,
    impersonation: {},
    ...more,
  }
  const transport = connect(connection, wallClock)
  opened.push(
    () => serving.close(),
    () => transport.close(),
  )
  return kubeClient(transport, { clock: wallClock, ids: randomIds })
}

const answer = (status: number, body: object): Awaited<ReturnType<Handler>> => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
})
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key }
const allow =
  (...tokens: string[]) =>
  async ({ headers }: HttpRequest) =>
    tokens.includes(headers['authorization']?.replace('Bearer ', '') ?? '')
      ? answer(200, { ...object, data: { token: headers['authorization'] } })
      : answer(401, { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'Unauthorized' })

it('a token that was rotated in its file is read again when the server refuses the old one', async () => {
  const path = join(folder, 'token')
  writeFileSync(path, 'one')
  const good = ['one']
  const kube = await reach(request => allow(...good)(request), { by: 'token-file', path })
  await kube.get(configMaps, key)
  good[0] = 'two'
  writeFileSync(path, 'two')
  expect(await kube.get(configMaps, key)).toMatchObject({ data: { token: 'Bearer two' } })
})

it('a token that stays refused is passed on as Unauthorized, after one more try', async () => {
  const path = join(folder, 'bad')
  writeFileSync(path, 'bad')
  let asked = 0
  const kube = await reach(
    request => {
      asked++
      return allow()(request)
    },
    { by: 'token-file', path },
  )
  await expect(kube.get(configMaps, key)).rejects.toMatchObject({ reason: 'Unauthorized' })
  expect(asked).toBe(2)
})

it('a client certificate is shown to the server, from the kubeconfig or from a plugin', async () => {
  const rule: Handler = async (_, peer) => answer(200, { ...object, data: { who: peer.certificate?.commonName } })
  const eve = await createClientCertificate(authority, { commonName: 'eve' }, life)
  const kube = await reach(rule, { by: 'certificate' }, { tls: { authority: authority.certificate, ...eve } })
  expect(await kube.get(configMaps, key)).toMatchObject({ data: { who: 'eve' } })

  const adam = await createClientCertificate(authority, { commonName: 'adam' }, life)
  const apiVersion = 'client.authentication.k8s.io/v1'
  const status = { clientCertificateData: adam.certificate, clientKeyData: adam.key }
  writeFileSync(join(folder, 'credential'), JSON.stringify({ apiVersion, kind: 'ExecCredential', status }))
  const command = join(folder, 'plugin')
  writeFileSync(command, `#!/bin/sh\ncat '${folder}/credential'\n`)
  chmodSync(command, 0o755)
  const plugin = { apiVersion, command, args: [], env: {}, installHint: undefined, cluster: undefined }
  expect(await (await reach(rule, { by: 'exec', plugin })).get(configMaps, key)).toMatchObject({ data: { who: 'adam' } })
})

it('impersonation goes along with every request', async () => {
  const rule: Handler = async ({ headers }) => answer(200, { ...object, data: { as: headers['impersonate-user'] } })
  const kube = await reach(rule, { by: 'nothing' }, { impersonation: { 'impersonate-user': 'eve' } })
  expect(await kube.get(configMaps, key)).toMatchObject({ data: { as: 'eve' } })
})

it('a server whose certificate nobody we trust has signed is not talked to', async () => {
  const other = await createAuthority({ commonName: 'other' }, life)
  let asked = 0
  const kube = await reach(
    async () => {
      asked++
      return answer(200, object)
    },
    { by: 'token', token: 'secret' },
    { tls: { authority: other.certificate } },
  )
  await expect(kube.get(configMaps, key)).rejects.toMatchObject({ code: 'net/untrusted' })
  expect(asked).toBe(0)
})
