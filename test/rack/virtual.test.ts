import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { openGuard } from '../../src/sim/guard.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { lab } from './lab.ts'

/** Every make powers on, gets an update, a medium and a setting, and boots. */
async function story(): Promise<string> {
  const world = {
    fetch: async () => ({ status: 200, headers: {}, body: Buffer.from('sim-firmware: BIOS 9.0\nsim: install os\nsim: reboot') }),
  }
  const { rack, happened, pass, call } = lab({ world, servers: personalities.map(({ name }) => ({ name, personality: name })) })
  for (const { name, ids, update, machine } of personalities) {
    const login = await call('POST', '/redfish/v1/SessionService/Sessions', { UserName: 'admin', Password: 'rackwright' }, {}, name)
    const token = { 'x-auth-token': login.headers['x-auth-token']! }
    await call('POST', update.simpleUpdate!, { ImageURI: 'http://f/BIOS-9.0.bin' }, token, name)
    await call('POST', `/redfish/v1/Systems/${ids.system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' }, token, name)
    rack.machine(name).media = { [machine.bootOrder[0]!]: { image: 'http://f/a.iso', writeProtected: true, method: 'Stream' } }
  }
  await pass(minutes(60))
  return happened.map(event => JSON.stringify(event)).join('\n')
}

it('a rack in virtual time ends nothing outside the microtask queue, and does the same again', async () => {
  const guard = openGuard()
  const first = await guard.watch(story)
  guard.close()
  // The turns of virtual time itself are immediates of the test's clock.
  expect(guard.escapes.filter(({ type }) => type !== 'Immediate')).toEqual([])
  expect(first.split('\n').length).toBeGreaterThan(personalities.length * 5)
  expect(await story()).toBe(first)
})
