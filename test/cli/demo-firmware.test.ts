import { expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { showFirmware } from '../../src/cli/compose/demo-firmware.ts'
import { demoMakes } from '../../src/cli/compose/rack.ts'
import { serverBioses } from '../../src/controllers/firmware/resources.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { testWorld } from '../runtime/world.ts'

it('the demo wants a setting of one machine that nobody claims, once, and one that the machine has', async () => {
  const world = await testWorld(kinds)
  const makes = Array.from({ length: 12 }, (_, n) => demoMakes[n % demoMakes.length]!)
  const servers = makes.map((personality, n) => ({ name: `server-${n + 1}`, personality }))
  const rack = openRack({ clock: world.clock, ids: seededIds(seeded('rack')), servers })
  for (let n = 0; n < 2; n++) await showFirmware(world.kube, rack)
  const { items } = await world.kube.list(serverBioses)
  expect(items.map(({ spec }) => spec.serverRef.name)).toEqual(['server-5-system-0'])
  const entries = rack.personality('server-5').bios.entries
  for (const [name, value] of Object.entries(items[0]!.spec.bios.settings))
    expect(entries.find(entry => entry.name === name)?.values).toContain(value)
  await world.close()
})
