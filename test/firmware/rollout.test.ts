import { expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { type JobRunner, jobRunners, type ServerBIOSSet, serverBioses, serverBiosSets } from '../../src/controllers/firmware/resources.ts'
import { type Server, servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { uuidOf } from '../../src/sim/machine/identity.ts'
import { generic } from '../../src/sim/personalities/generic.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { system } from '../metal/rack.ts'
import { testWorld } from '../runtime/world.ts'
import { bytesOf, digestOf, firmwareOnRack } from './story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const total = 500
const atOnce = 5

it('I21 a rollout over 500 servers of one model, 3 % of which the firmware bricks, stops among those that go first and says why', async () => {
  const world = await testWorld(kinds)
  const { kube, clock } = world
  const random = seeded('bricks')
  const names = Array.from({ length: total }, (_, n) => `s${String(n).padStart(3, '0')}`)
  const rack = openRack({ clock, ids: seededIds(random.fork('rack')), servers: names.map(name => ({ name, personality: generic })) })
  // Nobody knows beforehand which: 15 of them, by chance.
  const doomed = new Set<string>()
  const dice = random.fork('doomed')
  while (doomed.size < (total * 3) / 100) doomed.add(names[Math.floor(dice.next() * total)]!)
  const flashed: string[] = []
  rack.onEvent(event => {
    if (event.what !== 'flashed') return
    flashed.push(event.server)
    if (doomed.has(event.server)) rack.fault(event.server, 'no-answer')
  })
  if (!(await kube.find(namespaces, { name: system })))
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } })
  for (const [n, name] of names.entries()) {
    const spec = { systemUUID: uuidOf(n), bmcRef: { name } }
    await kube.create(servers, { apiVersion: metal, kind: 'Server', metadata: { name, labels: { model: 'x' } }, spec } as unknown as Server)
    const status = { state: 'Available', powerState: 'Off', manufacturer: generic.manufacturer, model: generic.model }
    await kube.patch(servers, { name }, { merge: { status } }, { subresource: 'status' })
  }
  const bytes = bytesOf('BIOS', '2.4.1')
  const url = 'https://firmware.example/BIOS-2.4.1.bin'
  const sources = [{ component: 'BIOS', version: '2.4.1', url, digest: digestOf(bytes) }]
  await kube.create(jobRunners, {
    apiVersion: metal,
    kind: 'JobRunner',
    metadata: { name: 'default' },
    spec: { image: 'rackwright.dev/rackwright', sources, backoffLimit: 0 },
  } as unknown as JobRunner)
  const firmware = firmwareOnRack(world, rack, new Map([[url, bytes]]))
  await kube.create(serverBiosSets, {
    apiVersion: metal,
    kind: 'ServerBIOSSet',
    metadata: { name: 'all' },
    spec: {
      serverSelector: { matchLabels: { model: 'x' } },
      rollout: { canary: 100, maxUnavailable: atOnce, pauseAfterFailures: 1 },
      template: { spec: { scanPeriodMinutes: 999_999, bios: { version: '2.4.1' } } },
    },
  } as unknown as ServerBIOSSet)
  const setNow = () => kube.get(serverBiosSets, { name: 'all' })
  for (let passed = 0; passed < minutes(2_000) && (await setNow()).status?.phase !== 'Paused'; passed += seconds(30))
    await clock.advance(seconds(30))
  const paused = await setNow()
  const toldNow = async () =>
    (await kube.list(serverBioses)).items.filter(({ spec }) => spec.bios.version !== undefined).map(({ metadata }) => metadata.name)
  const told = await toldNow()
  const underWay = (await kube.list(servers)).items.filter(({ spec }) => spec.updateRef !== undefined).map(({ metadata }) => metadata.name)
  const before = new Set(flashed)
  const bricked = flashed.filter(name => doomed.has(name))
  await clock.advance(minutes(60))

  const { status } = paused
  expect(status).toMatchObject({ phase: 'Paused', selected: total })
  expect(status?.paused?.reason).toMatch(/^s\d+(, s\d+)* failed among those that go first: nothing more is started$/)
  expect(bricked.length, 'some were lost, and never more than are worked on at once').toBeGreaterThan(0)
  expect(bricked.length).toBeLessThanOrEqual(atOnce)
  expect(told.length, 'nobody but those that go first').toBeLessThanOrEqual(100)
  expect((await setNow()).status?.phase, 'an hour later').toBe('Paused')
  expect(await toldNow(), 'nobody else is told').toEqual(told)
  expect(
    [...new Set(flashed)].filter(name => !before.has(name) && !underWay.includes(name)),
    'and nobody else flashed',
  ).toEqual([])
  expect(status?.canaries).toEqual(expect.arrayContaining([...new Set(flashed)]))
  expect(status?.servers?.some(({ state, message }) => state === 'Failed' && (message ?? '').length > 0)).toBe(true)
  expect(new Set(flashed.filter(name => doomed.has(name))).size, 'and nothing more afterwards').toBeLessThanOrEqual(atOnce)
  expect(firmware.violations).toEqual([])
  const ended = firmware.stop()
  await clock.advance(minutes(2))
  await ended
  await world.close()
}, 600_000)
