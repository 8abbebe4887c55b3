import { expect, it } from 'vitest'
import { claims, servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { reset } from '../../src/sim/machine/power.ts'
import { seeded } from '../../src/sim/seed.ts'
import { openMetalRack } from './rack.ts'

/** `RACKWRIGHT_SERVERS=1000` tries as many. */
const count = Number(process.env['RACKWRIGHT_SERVERS'] ?? 20)
/** For what never ends: many take longer. */
const bound = 600_000 * Math.max(1, count / 100)

it(
  `D8 I4 I32 ${count} claimed servers whose power comes and goes at random: nothing is installed twice, nothing boots the network outside an open boot`,
  async () => {
    const random = seeded('fleet')
    const names = Array.from({ length: count }, (_, n) => `srv-${n}`)
    const wrong: string[] = []
    const world = await openMetalRack({
      servers: names.map(name => ({ name })),
      // Shell, disk, and then the network, as many racks have it: a wrong order must not install anything again.
      prepare(rack) {
        for (const name of names) rack.machine(name).order = random.int(2) === 0 ? ['Boot0002', 'Boot0001'] : ['Boot0000', 'Boot0001']
      },
    })
    const all = async () => (await world.kube.list(servers)).items
    await world.until(minutes(20), 'all are available', async () => {
      const found = await all()
      return found.length === count && found.every(({ status }) => status?.state === 'Available')
    })
    for (const name of names)
      await world.kube.create(claims, {
        apiVersion: 'metal.ironcore.dev/v1alpha1',
        kind: 'ServerClaim',
        metadata: { name, namespace: 'default' },
        spec: {
          power: 'On',
          image: 'my-uki-osimage:latest',
          serverRef: { name: `${name}-system-0` },
          bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
        },
      })
    const boots = new Map<string, string>()
    world.rack.onEvent(event => {
      if (event.what === 'boots' && (event.from === 'Pxe' || event.from === 'UefiHttp'))
        boots.set(`${event.server} ${event.at}`, event.server)
    })
    for (let round = 0; round < 60; round++) {
      for (let hand = 0; hand < count / 20; hand++)
        reset(world.rack.machine(names[random.int(count)]!), (['PowerCycle', 'ForceOff', 'ForceRestart', 'On'] as const)[random.int(4)]!)
      await world.clock.advance(seconds(5 + random.int(60)))
      for (const [boot, server] of boots) {
        const note = (await world.kube.get(servers, { name: `${server}-system-0` })).status?.boot
        if (note === undefined || note.step === 'Ended') wrong.push(`${boot}: ${JSON.stringify(note)}`)
        boots.delete(boot)
      }
    }
    await world.clock.advance(minutes(70))
    expect(wrong).toEqual([])
    for (const name of names) {
      const installed = world.events.filter(event => event.server === name && event.what === 'installed').length
      expect({ name, installed }).toEqual({ name, installed: Math.min(installed, 1) })
      const served = world.events.filter(event => event.server === name && event.what === 'boots' && event.from === 'UefiHttp').length
      expect({ name, served }).toEqual({ name, served: Math.min(served, 1) })
    }
    for (const { status } of await all()) expect(status?.state).toBe('Reserved')
    await world.stop()
  },
  bound,
)
