import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type BareMetalHost, dataImages, hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { parseInstant } from '../../src/core/instant.ts'
import type { KubeObject } from '../../src/core/object.ts'
import {
  attach,
  attached,
  condition,
  config,
  detach,
  discs,
  find,
  isGone,
  isOff,
  isOn,
  key,
  media,
  online,
  other,
  power,
  restart,
  told,
  waiting,
} from './discs.ts'
import { installed, provisionedBy } from './fixtures/upstream-statuses.ts'
import { type Hosts, openHosts } from './hosts.ts'

const example = (name: string): KubeObject =>
  parse(readFileSync(new URL(`../../examples/metal3/${name}`, import.meta.url), 'utf8')) as KubeObject

/** The host that the example is for: somebody installed it, and it waits switched off. */
async function metalWorker(): Promise<Hosts> {
  const world = await openHosts()
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
  const metadata = { name: 'metal-worker-0', namespace: 'metal-cluster' }
  const data = { username: btoa(world.rack.username), password: btoa('c4n4ry') }
  const spec = {
    online: false,
    externallyProvisioned: true,
    bmc: { address: 'redfish-virtualmedia://srv-1', credentialsName: metadata.name },
    inspectionMode: 'disabled',
    bootMACAddress: '52:54:00:12:34:56',
  }
  await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace } })
  await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data })
  await world.kube.create(hosts, { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata, spec } as never)
  await world.clock.advance(minutes(5))
  return world
}

describe('a DataImage, row by row', () => {
  it('DI-004 DI-011 the example for a host of that name: it waits switched off, is switched on, and its system finds the disc as it starts', async () => {
    const world = await metalWorker()
    const worker = { name: 'metal-worker-0', namespace: 'metal-cluster' }
    world.rack.machine('srv-1').disk = { os: 'installed', steps: [] }
    const found: (readonly string[])[] = []
    world.rack.onEvent(event => void (event.what === 'runs' && event.os === 'installed' ? found.push(discs(world)) : undefined))
    await world.kube.create(dataImages, example('data-image.yaml') as never)
    await world.clock.advance(minutes(10))
    expect([power(world), discs(world)], 'until somebody wants it on').toEqual(['Off', []])
    await world.kube.patch(hosts, worker, { merge: { spec: { online: true } } })
    await world.until(minutes(20), 'its system runs', () => found.length > 0)
    expect(found).toEqual([['http://1.2.3.4/image.iso']])
    expect((await world.kube.get(dataImages, worker)).status?.attachedImage).toEqual({ url: 'http://1.2.3.4/image.iso' })
    await world.stop()
  })
  it('DI-003 T-80 discs go in by the media role of the host’s engine, which here is the controller’s own action; an engine without that role is a reason, and nobody waits', async () => {
    const asked: string[] = []
    const world = await waiting({
      engine: media(right => ({
        insert(host, drive, url, signal) {
          asked.push(`${host.name} ${url}`)
          return right.insert(host, drive, url, signal)
        },
      })),
    })
    await attach(world)
    await online(world, true)
    await isOn(world)
    expect(asked).toEqual([`srv-1 ${config}`])
    expect(discs(world)).toEqual([config])
    await world.stop()

    const lacking = await waiting({ engine: ({ media: _, ...rest }) => rest })
    await attach(lacking)
    await online(lacking, true)
    await isOn(lacking, minutes(2))
    expect(await condition(lacking, 'Accepted')).toMatchObject({
      status: 'False',
      reason: 'NoVirtualMedia',
      message: 'this engine cannot attach discs',
    })
    await detach(lacking)
    await isGone(lacking)
    await lacking.stop()
  })
  it('DI-019 DI-026 DI-027 DI-028 DI-032 T-79 after each attempt status says what came of it: what is attached, when, and how often it failed why', async () => {
    let broken = true
    const world = await waiting({
      engine: media(right => ({ insert: (...of) => (broken ? Promise.reject(new Error('no route to the disc')) : right.insert(...of)) })),
    })
    await attach(world)
    expect((await find(world))?.status?.attachedImage, 'nothing was tried yet').toBeUndefined()
    await online(world, true)
    await world.until(minutes(5), 'it failed twice', async () => ((await find(world))?.status?.error?.count ?? 0) >= 2)
    const failing = (await find(world))?.status
    expect(failing?.error).toEqual({ count: expect.any(Number), message: expect.stringContaining('no route to the disc') })
    expect(failing?.attachedImage).toBeUndefined()
    expect(JSON.stringify(world.logged), 'it is in the log, too').toContain('no route to the disc')
    broken = false
    await isOn(world)
    const status = (await find(world))?.status
    expect(status).toMatchObject({ attachedImage: { url: config }, error: { count: 0, message: '' } })
    expect(status?.lastReconciliation).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    expect(parseInstant(status!.lastReconciliation!)! > parseInstant(failing!.lastReconciliation!)!).toBe(true)
    expect(status, 'upstream’s name for it is not used beside').not.toHaveProperty('lastReconciled')
    await world.stop()
  })
  it('DI-023 DI-025 deleted with another address than what is in: what status notes is taken out, and until that works status counts the failures', async () => {
    let locked = true
    const ejected: string[] = []
    const world = await waiting({
      engine: media(right => ({
        async eject(host, drive, signal) {
          ejected.push(discs(world).join())
          if (locked) throw new Error('the drive is locked')
          return right.eject(host, drive, signal)
        },
      })),
    })
    await attach(world)
    await online(world, true)
    await isOn(world)
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await detach(world)
    expect((await find(world))?.status).toMatchObject({ attachedImage: { url: config } })
    await restart(world)
    const { error } = (await find(world))?.status ?? {}
    expect(error).toMatchObject({ count: 5, message: expect.stringMatching(/config\.iso could not be taken out: .*the drive is locked/) })
    expect(told(world, 'DetachFailed').length).toBeGreaterThan(0)
    expect(new Set(ejected)).toEqual(new Set([config]))
    locked = false
    await restart(world)
    await isGone(world)
    expect(discs(world)).toEqual([])
    await world.stop()
  })
  it('DI-006 a host over ipmi gets none: its DataImage says so, nobody waits for it, and its deletion ends', async () => {
    const world = await openHosts()
    await world.make('srv-1', { bmc: { address: 'ipmi://srv-1:623', credentialsName: 'srv-1-bmc' }, inspectionMode: undefined } as never)
    await attach(world)
    await world.clock.advance(minutes(5))
    expect(await condition(world, 'Accepted')).toMatchObject({
      status: 'False',
      reason: 'NoVirtualMedia',
      message: expect.stringContaining('ipmi cannot attach discs'),
    })
    expect((await find(world))?.metadata.finalizers).toBeUndefined()
    await detach(world)
    await world.until(minutes(2), 'it is gone', async () => (await find(world)) === undefined)
    expect(world.rack.counts('srv-1').calls).toBe(0)
    await world.stop()
  })
  it('DI-029 another process knows from status alone what is attached, that another is wanted, and that one is to go', async () => {
    const world = await waiting()
    await attach(world)
    await online(world, true)
    await isOn(world)
    await world.restart()
    expect([await attached(world), discs(world)]).toEqual([config, [config]])
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await world.restart()
    await restart(world)
    expect([await attached(world), discs(world)]).toEqual([other, [other]])
    await detach(world)
    await world.restart()
    await restart(world)
    await isGone(world, minutes(10))
    expect(discs(world)).toEqual([])
    await world.stop()
  })
  it('DI-033 taking it out at once is tried later and later', async () => {
    let broken = true
    const times: number[] = []
    const world = await waiting(
      {
        engine: media(right => ({
          eject(...of) {
            times.push(world.clock.now())
            return broken ? Promise.reject(new Error('the drive is locked')) : right.eject(...of)
          },
        })),
      },
      { online: true },
    )
    await isOn(world)
    await attach(world, { url: config, immediate: true })
    await world.until(minutes(5), 'it is attached', async () => (await attached(world)) === config)
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await world.clock.advance(hours(2))
    expect(times.length).toBeGreaterThan(5)
    const rests = times.slice(1).map((at, n) => at - times[n]!)
    expect(rests).toEqual(rests.toSorted((a, b) => a - b))
    expect(rests.at(-1)).toBeGreaterThan(minutes(30))
    broken = false
    await world.until(hours(3), 'the other is attached', async () => (await attached(world)) === other)
    expect(discs(world)).toEqual([other])
    await world.stop()
  })
  it('DI-035 DI-036 a host that another operator installed and left gets one at its next start: nothing of it had to be changed for that', async () => {
    const world = await openHosts()
    const status = Object.values(provisionedBy)[0]!
    await world.make('srv-1', { image: installed, inspectionMode: undefined, online: false } as never, {
      annotations: { 'baremetalhost.metal3.io/paused': '' },
      finalizers: ['baremetalhost.metal3.io'],
    })
    await world.kube.patch(hosts, key, { merge: { status: { ...status, poweredOn: false } } }, { subresource: 'status' })
    const spec = (): Promise<BareMetalHost['spec']> => world.host('srv-1').then(host => host?.spec)
    const before = await spec()
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': null } } })
    await attach(world)
    await world.clock.advance(minutes(5))
    await online(world, true)
    await isOn(world)
    expect(await attached(world)).toBe(config)
    await detach(world)
    await online(world, false)
    await isOff(world)
    await online(world, true)
    await isGone(world, minutes(10))
    expect(await spec()).toEqual({ ...before, online: true })
    expect(await world.state('srv-1')).toBe('provisioned')
    await world.stop()
  })
})
