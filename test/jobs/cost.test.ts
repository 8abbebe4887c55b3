import { describe, expect, it } from 'vitest'
import { personalities } from '../../src/sim/personalities/index.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { programWorld } from './program-world.ts'

/** Exact numbers, login and logout included, which may only fall. */
const calls: Readonly<Record<string, number>> = {
  'bios-scan': 6,
  'firmware-scan': 5,
  // An iDRAC lists its 53 components on two pages.
  'firmware-scan on dell': 6,
}

describe.each(personalities.map(({ name }) => name))('what a scan costs on %s', make => {
  it.each(['bios-scan', 'firmware-scan'])('%s asks the BMC at most six times from login to logout, and writes once', async program => {
    const world = await programWorld(make)
    await world.wishBios({ settings: makes[make]!.bios!.change! })
    for (const nth of ['first', 'unchanged']) {
      const ran = await world.run(program)
      expect(ran.code).toBe(0)
      const asked = ran.calls.filter(call => call.startsWith('bmc'))
      expect(`${nth}: ${asked.length} ${asked.join(', ')}`).toMatch(
        new RegExp(`^${nth}: ${calls[`${program} on ${make}`] ?? calls[program]} `),
      )
      const plural = program === 'bios-scan' ? 'serverbioses' : 'serverfirmwares'
      expect(ran.calls.filter(call => call.startsWith('api'))).toEqual([`api find ${plural}`, 'api find servers', `api patch ${plural}`])
    }
    expect(world.rack.counts('srv').sessions).toBe(0)
    await world.close()
  })
})
