import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { answering, done, working } from './engines.ts'
import { type Hosts, liveIso, openHosts } from './hosts.ts'

const makes = makesUnlessSaid('generic', 'dell')

const detach = (value: string | null) => ({ metadata: { annotations: { 'baremetalhost.metal3.io/detached': value } } })
const isDetached = async (world: Hosts) => (await world.host('srv-1'))?.status?.operationalStatus === 'detached'
const image = { url: liveIso, format: 'live-iso' as const }

describe('a host that is detached', () => {
  it.each(makes)('of %s, BMO-1729 BMO-3213 is left alone at once, not after ten minutes', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    await world.change('srv-1', detach(''))
    await world.until(seconds(5), 'it is detached', () => isDetached(world))
    await world.remove('srv-1')
    await world.until(seconds(5), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    await world.stop()
  })
  it.each(makes)('of %s, I24 I23 with deleteAction delay, its deletion waits, and nothing is switched off meanwhile', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    await world.change('srv-1', detach('{"deleteAction":"delay"}'))
    await world.until(minutes(1), 'it is detached', () => isDetached(world))
    await world.clock.advance(minutes(30))
    const before = world.events.length
    await world.remove('srv-1')
    await world.clock.advance(hours(2))
    expect(await world.state('srv-1')).toBe('provisioned')
    expect(world.events.slice(before)).toEqual([])
    await world.change('srv-1', detach(null))
    await world.until(hours(1), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.stop()
  })
  it('finishes what is under way first; something that cannot be read as JSON counts as empty', async () => {
    let over = false
    const world = await openHosts(undefined, {
      engine: answering({ deploy: () => (over ? done('it is installed') : working('it is being installed')) }),
    })
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioning')
    await world.change('srv-1', detach('{not json'))
    await world.clock.advance(minutes(5))
    expect(await world.state('srv-1')).toBe('provisioning')
    over = true
    await world.until(minutes(5), 'it is detached', () => isDetached(world))
    expect(await world.state('srv-1')).toBe('provisioned')
    await world.stop()
  })
  it.each(['inspect', 'deploy'] as const)(
    'by force during %s, is left alone at once, and goes on where it was when it comes back',
    async work => {
      let over = false
      const answers = answering({ [work]: () => (over ? done('it is over') : working('it goes on')) })
      const world = await openHosts(undefined, { engine: answers })
      const phase = work === 'inspect' ? 'inspecting' : 'provisioning'
      await world.make('srv-1', { image })
      await world.reaches('srv-1', phase)
      await world.change('srv-1', detach('{"force":true}'))
      await world.until(seconds(5), 'it is detached', () => isDetached(world))
      const calls = world.rack.counts('srv-1').calls
      await world.clock.advance(hours(1))
      expect(world.rack.counts('srv-1').calls, 'I24 no call at all').toBe(calls)
      expect(await world.state('srv-1')).toBe(phase)
      over = work === 'deploy'
      await world.change('srv-1', detach(null))
      if (work === 'deploy') await world.reaches('srv-1', 'provisioned')
      else await world.until(minutes(2), 'it is looked after', async () => !(await isDetached(world)))
      await world.stop()
    },
  )
  it('by force while it is being installed, it is gone at once when it is deleted, and its machine is left as it is', async () => {
    const world = await openHosts(undefined, { engine: answering({ deploy: () => working('it is being installed') }) })
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioning')
    await world.change('srv-1', detach('{"force":true}'))
    await world.until(seconds(5), 'it is detached', () => isDetached(world))
    const before = world.events.length
    await world.remove('srv-1')
    await world.until(seconds(5), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect(world.events.slice(before)).toEqual([])
    await world.stop()
  })
})
