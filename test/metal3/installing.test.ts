import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { answering, done, failed, working } from './engines.ts'
import { type Hosts, liveIso, openHosts } from './hosts.ts'

const image = { url: liveIso, format: 'live-iso' as const }
const available = async (world: Hosts) =>
  (await world.host('srv-1'))?.status?.conditions?.find(({ type }) => type === 'AvailableForProvisioning')

const stateIn = (body: unknown): string | undefined =>
  (body as { readonly status?: { readonly provisioning?: { readonly state?: string } } } | undefined)?.status?.provisioning?.state

describe('installing a host', () => {
  it.each([
    ['BMO-584 BMO-610 BMO-798 an image', { image }],
    // Upstream counts only images, so that a converged installation is tried for ever.
    ['BMO-3468 a custom deploy', { customDeploy: { method: 'start_assisted_install' } }],
  ])('of %s that always fails is tried five times, and then waits for another wish', async (_, spec) => {
    const world = await openHosts(undefined, { engine: answering({ deploy: () => failed('the disk is full') }) })
    const tries = () => world.writes().filter(({ body }) => stateIn(body) === 'provisioning').length
    await world.make('srv-1', spec)
    await world.until(hours(6), 'it is given up', async () => (await available(world))?.reason === 'TooManyFailures')
    expect(tries()).toBe(5)
    expect((await available(world))?.message).toContain('failed 5 times')
    await world.clock.advance(hours(3))
    expect(tries(), 'BMO-584 no endless loop').toBe(5)
    expect(await world.state('srv-1')).toBe('available')
    // Taking it away and setting it anew is enough: no status has to be edited.
    await world.change('srv-1', { spec: { image: null, customDeploy: null } })
    await world.clock.advance(minutes(2))
    await world.change('srv-1', { spec })
    await world.until(minutes(10), 'it is tried again', () => tries() > 5)
    await world.stop()
  })
  it('rests after a failure before the host is given back, and counts no success as a failure', async () => {
    let tries = 0
    const engine = answering({ deploy: () => (++tries < 3 ? failed('the registry was away') : done('it is installed')) })
    const world = await openHosts(undefined, { engine })
    await world.make('srv-1', { image })
    await world.until(minutes(5), 'it failed', async () => (await world.host('srv-1'))?.status?.errorType === 'provisioning error')
    await world.clock.advance(seconds(50))
    expect(await world.state('srv-1')).toBe('provisioning')
    await world.reaches('srv-1', 'provisioned', hours(2))
    expect((await world.host('srv-1'))?.status).toMatchObject({ provisioningFailCount: 0, errorCount: 0, errorMessage: '' })
    await world.stop()
  })
  it('another image that is wanted meanwhile is installed after the host was given back', async () => {
    const engine = answering({ deploy: () => working('it is being installed') })
    const world = await openHosts(undefined, { engine })
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioning')
    await world.change('srv-1', { spec: { image: { url: 'https://images.example/other.iso' } } })
    await world.until(minutes(20), 'the other one is installed', async () => {
      const provisioning = (await world.host('srv-1'))?.status?.provisioning
      return provisioning?.state === 'provisioning' && provisioning.image?.url.endsWith('other.iso') === true
    })
    await world.stop()
  })
  it('I12 BMO-1182 a host whose cleaning fails is not available', async () => {
    const world = await openHosts(undefined, { engine: answering({ clean: () => failed('the disk does not answer') }) })
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned', hours(1))
    await world.change('srv-1', { spec: { image: null } })
    await world.clock.advance(hours(4))
    expect(await world.state('srv-1')).toBe('deprovisioning')
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'error', errorType: 'provisioning error' })
    await world.stop()
  })
  it('BMO-716 BMO-432 BMO-1119 an engine that forgot the host is told of it again; nothing is given back', async () => {
    let forgot = false
    const engine = answering({ powerOn: () => (forgot ? { is: 'gone', because: 'nobody here knows it' } : done('it is on')) })
    const world = await openHosts(undefined, { engine })
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned', hours(1))
    forgot = true
    await world.clock.advance(minutes(3))
    forgot = false
    await world.clock.advance(minutes(3))
    expect(await world.state('srv-1')).toBe('provisioned')
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'OK', goodCredentials: expect.anything() })
    await world.stop()
  })
})

describe('hosts that boot from the network', () => {
  const names = ['srv-1', 'srv-2', 'srv-3', 'srv-4']
  const spec = (name: string) => ({
    bmc: { address: `redfish://${name}`, credentialsName: `${name}-bmc` },
    inspectionMode: undefined as never,
  })
  it('take turns: so many at a time, those that came first before the others; whoever waits says so', async () => {
    const over = new Set<string>()
    const busy = new Set<string>()
    let most = 0
    const world = await openHosts(
      names.map(name => ({ name })),
      {
        atOnce: 2,
        engine: direct => ({
          ...direct,
          look: (host, work, memory, signal) => (work === 'inspect' ? Promise.resolve(undefined) : direct.look(host, work, memory, signal)),
          judge(host, work, memory, sight, now) {
            if (work !== 'inspect') return direct.judge(host, work, memory, sight, now)
            busy.add(host.name)
            most = Math.max(most, busy.size)
            if (!over.has(host.name)) return working('it is inspected')
            return {
              is: 'done',
              because: 'it is known',
              inventory: { manufacturer: 'x', model: 'y', processors: [], nics: [], disks: [] } as never,
            }
          },
        }),
      },
    )
    for (const name of names) {
      await world.make(name, { online: false, ...spec(name) })
      await world.clock.advance(seconds(10))
    }
    await world.clock.advance(minutes(5))
    const states = async () => Promise.all(names.map(async name => (await world.host(name))?.status?.operationalStatus))
    expect(await states()).toEqual(['OK', 'OK', 'delayed', 'delayed'])
    expect([...busy]).toEqual(['srv-1', 'srv-2'])
    over.add('srv-1')
    await world.reaches('srv-1', 'available')
    busy.delete('srv-1')
    await world.clock.advance(minutes(2))
    expect([...busy], 'the next in line').toEqual(['srv-2', 'srv-3'])
    for (const name of names) over.add(name)
    for (const name of names) {
      await world.reaches(name, 'available')
      busy.delete(name)
    }
    expect(most).toBe(2)
    expect(await states()).toEqual(['OK', 'OK', 'OK', 'OK'])
    await world.stop()
  })
  it('with virtual media they wait for nobody', async () => {
    const world = await openHosts(
      names.map(name => ({ name })),
      { atOnce: 1, engine: answering({ inspect: () => working('it is inspected') }) },
    )
    for (const name of names) await world.make(name, { online: false, inspectionMode: undefined as never })
    await world.clock.advance(minutes(5))
    for (const name of names) expect((await world.host(name))?.status?.operationalStatus).not.toBe('delayed')
    await world.stop()
  })
})
