import { expect, it } from 'vitest'
import { createAuthority, createServerCertificate } from '../../src/net/certificates.ts'
import { httpTransport } from '../../src/net/client.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import { bootWorld, content, home } from './world.ts'

it('BP-004 an artefact is served by HTTPS as by HTTP: HEAD with its length, ranges, all of it', async () => {
  const world = await bootWorld()
  const life = { now: wallClock.now(), lasts: 86_400_000 }
  const authority = await createAuthority({ commonName: 'test' }, life)
  const tls = await createServerCertificate(authority, { commonName: 'boot' }, ['127.0.0.1'], life)
  const serving = await serve({
    host: '127.0.0.1',
    port: 0,
    clock: wallClock,
    log: silent,
    tls: { certificate: tls.certificate, key: tls.key },
    handler: request => world.boot.handler(request, { address: home }),
  })
  const ask = httpTransport({ baseUrl: serving.url, tls: { authority: authority.certificate } })
  const path = `${world.ticket()}/os.efi`
  const head = await ask({ method: 'HEAD', url: path, headers: {} })
  expect([head.status, head.headers['content-length']]).toEqual([200, String(content.uki.length)])
  const part = await ask({ method: 'GET', url: path, headers: { range: 'bytes=5-9' } })
  expect([part.status, Buffer.from(part.body as Uint8Array).equals(content.uki.subarray(5, 10))]).toEqual([206, true])
  const all = await ask({ method: 'GET', url: path, headers: {} })
  expect(Buffer.from(all.body as Uint8Array).equals(content.uki)).toBe(true)
  await ask.close()
  await serving.close()
  await world.end()
})
