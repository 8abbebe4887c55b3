import { minutes, seconds } from '../../src/core/duration.ts'
import { silent } from '../../src/ports/index.ts'
import { directEngine } from '../../src/provisioner/direct/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { liveIso, osImage, ramdiskIso, ramdiskLane, ramdiskWorld } from '../metal3/ramdisk-world.ts'
import { testClock } from '../runtime/clock.ts'
import { host } from './provisioner/host.ts'
import { provisionerContract } from './provisioner/suite.ts'

provisionerContract('the direct engine on a simulated machine', async () => {
  const clock = testClock()
  // Whoever looks last is the one that agents reach: a restarted process has a desk of its own.
  let lane = ramdiskLane({ find: async () => undefined }, clock, () => rack, { iso: ramdiskIso })
  const rack = openRack({ clock, ids: seededIds(seeded('engine')), servers: [{ name: 'srv-1' }], world: ramdiskWorld(() => lane.desk) })
  let happened = 0
  rack.onEvent(() => void happened++)
  const pool = bmcPool({
    clock,
    log: silent,
    access: async () => ({
      address: 'https://srv-1',
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password('srv-1') }),
    }),
    transport: () => rack.transport('srv-1'),
  })
  return {
    clock,
    host,
    pass: ms => clock.advance(ms),
    async during(work) {
      let over = false
      const ended = work.finally(() => {
        over = true
      })
      for (await clock.settle(); !over; await clock.settle()) await clock.advance(seconds(1))
      return ended
    },
    settle: () => clock.advance(minutes(10)),
    engine() {
      lane = ramdiskLane({ find: async () => undefined }, clock, () => rack, { iso: ramdiskIso })
      return directEngine(pool, lane)
    },
    installs: {
      image: { image: osImage },
      method: { customDeploy: 'start_assisted_install' },
      live: { image: { url: liveIso, format: 'live-iso' } },
    },
    really() {
      const { power, source, disk, media } = rack.machine('srv-1')
      return { power, runs: source, disk: disk?.os, discs: Object.values(media ?? {}).map(({ image }) => image), happened }
    },
    cut: () => rack.fault('srv-1', 'server-error'),
    mend: () => rack.heal('srv-1'),
    async stop() {
      const closed = pool.close()
      await clock.advance(minutes(2))
      await closed
    },
  }
})
