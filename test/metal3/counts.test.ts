import { expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { type Hosts, liveIso, openHosts } from './hosts.ts'

interface Count {
  readonly writes: number
  readonly events: number
  readonly calls: number
}

const count = (world: Hosts): Count => {
  const events = world.writes().filter(({ path }) => path.includes('/events')).length
  return { writes: world.writes().length - events, events, calls: world.rack.counts('srv-1').calls }
}
const since = (world: Hosts, before: Count): Count => {
  const { writes, events, calls } = count(world)
  return { writes: writes - before.writes, events: events - before.events, calls: calls - before.calls }
}

// All of these may only fall. Of an onboarding five writes and sixteen calls show its firmware; that is read once an hour, by five calls.
it('P5 P6 I26 what a host costs: onboarded, an hour at rest, installed from a live ISO, an hour at rest, given back', async () => {
  const world = await openHosts()
  const nothing = count(world)
  await world.make('srv-1', { online: false })
  await world.reaches('srv-1', 'available')
  expect(since(world, nothing), 'onboarded').toEqual({ writes: 11, events: 4, calls: 44 })
  await world.clock.advance(minutes(5))
  const available = count(world)
  await world.clock.advance(hours(1))
  expect(since(world, available), 'an hour available').toEqual({ writes: 0, events: 0, calls: 185 })
  const before = count(world)
  await world.change('srv-1', { spec: { online: true, image: { url: liveIso, format: 'live-iso' } } })
  await world.reaches('srv-1', 'provisioned')
  expect(since(world, before), 'installed').toEqual({ writes: 6, events: 2, calls: 31 })
  await world.clock.advance(minutes(5))
  const installed = count(world)
  await world.clock.advance(hours(1))
  expect(since(world, installed), 'an hour provisioned').toEqual({ writes: 0, events: 0, calls: 185 })
  const away = count(world)
  await world.change('srv-1', { spec: { online: false, image: null } })
  await world.reaches('srv-1', 'available')
  expect(since(world, away), 'given back').toEqual({ writes: 5, events: 2, calls: 46 })
  await world.stop()
})
