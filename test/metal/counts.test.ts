import { expect, it } from 'vitest'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { openMetalRack } from './rack.ts'

const machines = 10

/** One rack from its first BMC until everything is Available. */
async function onboarded() {
  const names = Array.from({ length: machines }, (_, n) => ({ name: `srv-${n}` }))
  const world = await openMetalRack({ servers: names })
  await world.until(minutes(15), 'all are available', async () => {
    const { items } = await world.kube.list(servers)
    return items.length === machines && items.every(({ status }) => status?.state === 'Available')
  })
  return world
}
const ofObjects = (path: string): boolean => !path.includes('/events')

it('P5 onboarding a server takes 17 object writes and 42 Redfish calls', async () => {
  const world = await onboarded()
  const writes = world.writes().filter(({ path }) => ofObjects(path))
  const of = (name: string) =>
    writes.filter(
      ({ path, body }) =>
        new RegExp(`/(discovery-)?${name}(-system-0)?(/|$)`).test(path) ||
        nameIn(body).startsWith(`${name}-system-0`) ||
        nameIn(body).startsWith(`discovery-${name}-`),
    )
  const last = `srv-${machines - 1}`
  expect({ writes: of(last).length, calls: world.rack.counts(last).calls }).toEqual({ writes: 17, calls: 42 })
  // Those who come before the image of the probe is there wait for it, and say so. All of this may only fall.
  const calls = world.rack.servers.reduce((sum, name) => sum + world.rack.counts(name).calls, 0)
  const events = world.writes().length - writes.length
  expect({ writes: writes.length, events, calls }).toEqual({ writes: 17 * machines + 3, events: 4 * machines, calls: 42 * machines + 3 })
  await world.stop()
})

const nameIn = (body: unknown): string => {
  const metadata = (body as { readonly metadata?: { readonly name?: string } } | undefined)?.metadata
  return metadata?.name ?? ''
}

it('I26 P6 a rack at rest is looked at, and nothing is written to it or to the API', async () => {
  const world = await onboarded()
  await world.clock.advance(minutes(10))
  const before = { writes: world.writes().length, happened: world.events.length }
  await world.clock.advance(minutes(60))
  expect({ writes: world.writes().length, happened: world.events.length }).toEqual(before)
  await world.stop()
})
