import { expect, it } from 'vitest'
import { randomIds } from '../../src/net/random-ids.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import { httpWorld } from '../../src/sim/machine/world-http.ts'
import { generic } from '../../src/sim/personalities/generic.ts'
import { openRack, type RackEvent } from '../../src/sim/rack.ts'

const times = { powerOn: 1, powerOff: 1, graceful: 1, post: 5, osStart: 1, install: 5, bmcRestart: 1, update: 5 }

it('a simulated machine boots from a real HTTP server, reads all of a large image, and tells it so', async () => {
  const asked: string[] = []
  let read = 0
  async function* image(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('sim: install debian-13\nsim: post /booted {"state":"installed"}\n'.replace('/booted', `${url()}/booted`))
    for (let n = 0; n < 64; n++) {
      read += 65_536
      yield Buffer.alloc(65_536)
    }
  }
  const url = (): string => server.url
  let told = (_: string): void => {}
  const booted = new Promise<string>(resolve => {
    told = resolve
  })
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    clock: wallClock,
    log: silent,
    handler: async request => {
      asked.push(`${request.method} ${request.url}`)
      if (request.method === 'POST') told(Buffer.from(request.body ?? []).toString('utf8'))
      const body = request.method === 'GET' ? image() : new Uint8Array()
      return { status: 200, headers: { 'content-type': 'application/efi' }, body }
    },
  })
  const world = httpWorld({ http: `${server.url}/default.efi` })
  const machine = { ...generic.machine, times }
  const rack = openRack({ clock: wallClock, ids: randomIds, servers: [{ name: 's1', personality: { ...generic, machine } }], world })
  const happened: RackEvent['what'][] = []
  rack.onEvent(({ what }) => happened.push(what))
  rack.machine('s1').armed = { target: 'UefiHttp', lasts: 'Once', mode: 'UEFI', uri: null, uefiTarget: null }
  const headers = { authorization: `Basic ${Buffer.from('admin:rackwright').toString('base64')}` }
  const body = Buffer.from('{"ResetType":"On"}')
  await rack.handle('s1', { method: 'POST', url: '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset', headers, body })
  expect(await booted).toBe('{"state":"installed"}')
  expect(asked).toEqual(['HEAD /default.efi', 'GET /default.efi', 'POST /booted'])
  expect(read).toBe(64 * 65_536)
  expect(happened).toEqual(['power', 'reset', 'boots', 'runs', 'installed'])
  await world.close()
  await server.close()
})

it.skipIf(process.platform !== 'linux')('each machine speaks from an address of its own, where it has one', async () => {
  const heard: string[] = []
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    clock: wallClock,
    log: silent,
    handler: async (_, { address }) => {
      heard.push(address)
      return { status: 200, headers: {}, body: new Uint8Array() }
    },
  })
  const world = httpWorld({ addressOf: name => (name === 's1' ? '127.84.0.1' : undefined) })
  for (const name of ['s1', 's2', 's1']) await world.fetch({ server: name, method: 'GET', url: `${server.url}/`, headers: {} })
  expect(heard).toEqual(['127.84.0.1', '127.0.0.1', '127.84.0.1'])
  await world.close()
  await server.close()
})
