import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { bmcContract, type OpenedMachine } from './bmc/contract.ts'
import { makes } from './bmc/makes.ts'
import { watched } from './bmc/watched.ts'

it('every make of the simulated rack is known to the suite', () => {
  expect(personalities.map(({ name }) => name).toSorted()).toEqual(Object.keys(makes).toSorted())
})

for (const [make, known] of Object.entries(makes)) {
  const name = `a simulated ${make} machine`
  const open = async (): Promise<OpenedMachine> => {
    const clock = virtualClock()
    const rack = openRack({ clock, ids: seededIds(seeded('contract')), servers: [{ name: 's1', personality: make }] })
    const { transport, asked, linked } = watched(rack.transport('s1'))
    const access = {
      address: 'https://s1.test',
      tls: { trust: 'System' as const },
      credentials: async () => ({ username: rack.username, password: rack.password('s1') }),
    }
    const bmc = await openBmc(access, { clock, log: silent, transport })
    const settle = async (): Promise<void> => {
      const until = clock.elapsed() + minutes(6)
      do await clock.settle()
      while (clock.advance(until))
    }
    return { bmc, known: { name, ...known }, asked, linked, settle }
  }
  bmcContract(name, open, { changes: true })
}
