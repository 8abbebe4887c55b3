import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claims } from '../../src/controllers/metal/resources.ts'
import { claimServer, type Lane, leases, openLane, provisioned, stateOf, system, until } from './lane.ts'
import { type Process, start } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const program = new URL('./programs/hurried.ts', import.meta.url).pathname
const main = new URL('../../src/main.ts', import.meta.url).pathname

describe.skipIf(bin === undefined)('the operator on a real Kubernetes, under exactly its ServiceAccounts', () => {
  let lane: Lane
  let operator: Process
  let bootServer: Process
  beforeAll(async () => {
    lane = await openLane(bin ?? '', { servers: 1, speed: 50 })
    const clock = ['4', String(Date.now())]
    operator = start([program, 'operator', ...clock, await lane.settings('rackwright-controllers')])
    bootServer = start([program, 'boot-server', ...clock, await lane.settings('rackwright-boot-server')])
  })
  afterAll(async () => {
    await operator?.stop()
    await bootServer?.stop()
    await lane?.close()
  })
  const server = 'server-1-system-0'
  const key = { name: 'c1', namespace: 'default' }
  const network = (from: number): readonly string[] =>
    lane.events.slice(from).flatMap(event => (event.what === 'boots' && event.from !== 'Hdd' ? [event.from] : []))
  const runs = (from: number, os: string): boolean => lane.events.slice(from).some(event => event.what === 'runs' && event.os === os)

  it('BP-012 discovers a server, installs it for a claim over the network once, and boots it from disk ever after', async () => {
    await until('the server is discovered', async () => (await stateOf(lane, server)) === 'Available')
    const discovered = lane.events.length
    await claimServer(lane, 'c1', server)
    await until('the claim is provisioned', () => provisioned(lane, 'c1'))
    await until('what was installed runs', async () => runs(discovered, 'os-1'))
    expect(network(discovered)).toHaveLength(1)

    const installed = lane.events.length
    const power = (to: 'On' | 'Off') => lane.kube.patch(claims, key, { merge: { spec: { power: to } } })
    await power('Off')
    await until('it is off', async () => lane.events.slice(installed).some(event => event.what === 'power' && event.to === 'Off'))
    await power('On')
    await until('it runs again', async () => runs(installed, 'os-1'))
    expect(network(installed)).toEqual([])

    await lane.kube.delete(claims, key)
    await until('the server is free again', async () => (await stateOf(lane, server)) === 'Available')
    expect(`${operator.said()}${bootServer.said()}`).not.toContain('forbidden')
  }, 600_000)
  it('`rackwright operator` stands by beside it, leads when the other ends, and lets go of its lease when it is told to end', async () => {
    const standby = start([main, 'operator', '--config', await lane.settings('rackwright-controllers', { name: 'standby' })])
    const [, identity, health] = await until(
      'it runs',
      async () => /"identity":"([^"]+)","health":"([^"]+)"/.exec(standby.said()) ?? undefined,
    )
    await until('it is ready', () => fetch(`${health}/readyz`).then(({ ok }) => ok))
    const metrics = await (await fetch(`${health}/metrics`)).text()
    expect(metrics).toContain('rackwright_leader 0')
    expect(metrics).toContain('rackwright_observe_only{role="metal"} 0')
    expect((await fetch(`${health}/healthz`)).status).toBe(200)

    const holder = async (): Promise<string> => {
      const lease = await lane.kube.get(leases, { namespace: system, name: 'rackwright-controllers' })
      return (lease['spec'] as { holderIdentity?: string }).holderIdentity ?? ''
    }
    expect(await operator.stop()).toBe(0)
    expect(await bootServer.stop()).toBe(0)
    await until('it leads', async () => (await holder()) === identity)
    expect(await standby.stop()).toBe(0)
    expect(await holder()).toBe('')
    expect(standby.said()).not.toContain('forbidden')
  }, 600_000)
})
