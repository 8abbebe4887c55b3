import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedHost } from './api/embedded.ts'
import { type Client, client, type Host, refused } from './api/host.ts'
import { cms, configMap } from './api/objects.ts'

/** Where the embedded server is stricter than Kubernetes on purpose, or offers what only it can. */
describe('the embedded API alone', () => {
  let host: Host
  let api: Client
  beforeAll(async () => {
    host = await embeddedHost()
    api = client(host.transport)
  })
  afterAll(() => host.close())

  it('nobody in particular is turned away from everything but health', async () => {
    const stranger = client(host.as('eve'))
    refused(await stranger.get(cms('default')), 403, 'Forbidden')
    refused(await stranger.post(cms('default'), configMap('x')), 403, 'Forbidden')
    expect((await stranger.get('/livez')).body).toBe('ok')
    expect((await stranger.get('/api')).code).toBe(200)
  })
  it('a shared answer is the one frozen object that everybody reads', async () => {
    await api.post(cms('default'), configMap('shared', { data: { a: '1' } }))
    const read = async (): Promise<unknown> => {
      const { shared } = await host.transport({ method: 'GET', url: `${cms('default')}/shared`, headers: {}, shares: true })
      return shared && 'object' in shared ? shared.object : undefined
    }
    expect(await read()).toBe(await read())
    expect(Object.isFrozen(await read())).toBe(true)
  })
})
