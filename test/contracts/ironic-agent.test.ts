import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { silent } from '../../src/ports/index.ts'
import { agentCalls } from '../../src/provisioner/agent/calls.ts'
import { openDesk } from '../../src/provisioner/agent/desk.ts'
import { agentToken } from '../../src/provisioner/agent/token.ts'
import { macOf } from '../../src/sim/machine/identity.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { ramdiskIso, ramdiskWorld } from '../metal3/ramdisk-world.ts'
import { testClock } from '../runtime/clock.ts'
import { agentKey, agentProtocol, attempt, node, uid } from './ironic-agent/suite.ts'

agentProtocol('a simulated machine', async () => {
  const clock = testClock()
  const desk = openDesk({ clock, log: silent, key: agentKey })
  const rack = openRack({ clock, ids: seededIds(seeded('agent')), servers: [{ name: 'srv-1' }], world: ramdiskWorld(() => desk) })
  const machine = rack.machine('srv-1')
  return {
    desk,
    calls: agentCalls({ clock, transport: ({ url }) => rack.agentAt(url) }),
    mac: macOf(0, 0),
    steps: { works: 'erase_devices_metadata', fails: 'erase_devices_metadata', says: 'the disk does not answer' },
    spoil() {
      machine.agentManners = { 'fails a step': 1 }
    },
    async start() {
      machine.media = { Cd: { image: ramdiskIso, writeProtected: true, method: 'Stream' } }
      machine.armed = { ...machine.armed, target: 'Cd', lasts: 'Once' }
      await rack.handle('srv-1', {
        method: 'POST',
        url: '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset',
        headers: { authorization: `Basic ${btoa(`${rack.username}:${rack.password('srv-1')}`)}`, 'content-type': 'application/json' },
        body: Buffer.from('{"ResetType":"On"}'),
      })
      await clock.advance(minutes(10))
    },
    async until(words, so) {
      for (let i = 0; i < 100; i++) {
        if (await so()) return
        await clock.advance(seconds(5))
      }
      throw new Error(`"${words}" is not so`)
    },
    async stop() {},
  }
})

describe('the desk for agents', () => {
  const mac = '02:5c:00:00:00:07'
  const opened = () => {
    const clock = testClock()
    const desk = openDesk({ clock, log: silent, key: agentKey })
    desk.expect({ uid, attempt, macs: [mac], node, takesMd5: true })
    const asks = (url: string, body?: object, address = '10.1.0.7') =>
      desk.handler(
        { method: body ? 'POST' : 'GET', url, headers: {}, ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}) },
        { address },
      )
    return { clock, desk, asks }
  }
  const token = agentToken(agentKey, uid, attempt)
  const beat = { callback_url: 'https://10.1.0.7:9999', agent_token: token, agent_verify_ca: '-----BEGIN CERTIFICATE-----\nx' }
  const said = async (answer: Promise<{ readonly body: unknown }>) =>
    JSON.parse(Buffer.from((await answer).body as Uint8Array).toString('utf8')) as Record<string, never>

  it('hands out the token of this try, the same each time, and to one address alone', async () => {
    const { asks } = opened()
    const lookup = `/v1/lookup?addresses=${mac.toUpperCase()},02:00:00:00:00:01`
    expect(await said(asks(lookup))).toMatchObject({ node: { uuid: uid }, config: { agent_token: token, agent_md5_checksum_enable: true } })
    expect(await said(asks(lookup))).toMatchObject({ config: { agent_token: token } })
    expect((await asks(lookup, undefined, '10.1.0.8')).status).toBe(404)
    expect((await asks(`${lookup}&node_uuid=another`)).status).toBe(404)
  })
  it('X-035 answers none of two hosts with one hardware address', async () => {
    const { desk, asks } = opened()
    desk.expect({ uid: 'another', attempt: 1, macs: [mac], node: {}, takesMd5: false })
    expect((await asks(`/v1/lookup?addresses=${mac}`)).status).toBe(404)
    expect((await asks('/v1/continue_inspection', { inventory: { interfaces: [{ mac_address: mac }] } })).status).toBe(404)
  })
  it.each([
    ['another token', { ...beat, agent_token: agentToken(agentKey, uid, attempt - 1) }, 401],
    ['no token', { ...beat, agent_token: undefined }, 401],
    ['plain HTTP', { ...beat, callback_url: 'http://10.1.0.7:9999' }, 400],
    ['an address that it does not call from', { ...beat, callback_url: 'https://10.1.0.8:9999' }, 400],
    ['no certificate', { ...beat, agent_verify_ca: undefined }, 400],
    ['no address', { ...beat, callback_url: 'nonsense' }, 400],
  ])('does not hear a heartbeat with %s', async (_, body, status) => {
    const { desk, asks } = opened()
    expect((await asks(`/v1/heartbeat/${uid}`, body)).status).toBe(status)
    expect(desk.heard(uid, attempt)?.agent).toBeUndefined()
  })
  it.each(['10.2.0.7', 'fd00:0:0::7', 'FD00::7'])('calls it at %s, too, where its machine was found to have that address', async known => {
    const { desk, asks } = opened()
    desk.expect({ uid, attempt, macs: [mac], addresses: [known], node, takesMd5: true })
    const url = known.includes(':') ? 'https://[fd00::7]:9999' : 'https://10.2.0.7:9999'
    expect((await asks(`/v1/heartbeat/${uid}`, { ...beat, callback_url: 'https://10.2.0.8:9999' })).status).toBe(400)
    expect((await asks(`/v1/heartbeat/${uid}`, { ...beat, callback_url: url })).status).toBe(202)
    expect(desk.heard(uid, attempt)?.agent?.url).toBe(url)
  })
  it('keeps to the first address and certificate within a try', async () => {
    const { asks } = opened()
    expect((await asks(`/v1/heartbeat/${uid}`, beat)).status).toBe(202)
    expect((await asks(`/v1/heartbeat/${uid}`, { ...beat, callback_url: 'https://10.1.0.7:9998' })).status).toBe(400)
    expect((await asks(`/v1/heartbeat/${uid}`, { ...beat, agent_verify_ca: '-----BEGIN CERTIFICATE-----\ny' })).status).toBe(400)
  })
  it('counts for how long an agent has been silent, and hears nothing of an earlier try', async () => {
    const { clock, desk, asks } = opened()
    await asks(`/v1/heartbeat/${uid}`, beat)
    await clock.advance(minutes(3))
    expect(desk.heard(uid, attempt)?.agent?.silentFor).toBe(minutes(3))
    expect(desk.heard(uid, attempt + 1)).toBeUndefined()
    desk.expect({ uid, attempt: attempt + 1, macs: [mac], node, takesMd5: false })
    expect(desk.heard(uid, attempt + 1)).toEqual({ listening: 0 })
    expect((await asks(`/v1/heartbeat/${uid}`, beat)).status).toBe(401)
  })
  it.each([
    ['GET', '/v1/heartbeat/x', 405],
    ['GET', '/v1/nodes', 404],
    ['POST', '/v1/continue_inspection', 400],
    ['POST', `/v1/heartbeat/${uid}`, 404],
  ])('%s %s answers %i', async (method, url, status) => {
    const { desk } = opened()
    expect((await desk.handler({ method, url, headers: {}, body: Buffer.from('{') }, { address: '10.1.0.7' })).status).toBe(status)
  })
})
