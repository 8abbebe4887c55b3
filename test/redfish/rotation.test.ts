import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { silent } from '../../src/ports/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { racked } from './rack.ts'

const patient = personalities.find(({ name }) => name === 'generic')!
/** Eight sessions, five failures, and a lock that only the next right login would have opened in time. */
const strict = {
  ...patient,
  protocol: { ...patient.protocol, sessionLimit: 8, sessionSeconds: 300, lockout: { failures: 5, seconds: 86_400 } },
}

it('I17 I19 a day of rotating credentials, by either side first, locks nobody out and takes one session', async () => {
  const { rack, clock, pass, done, bmc } = await racked('generic', { servers: [{ name: 's1', personality: strict }] })
  await done(bmc.close())
  let secret = rack.password('s1')
  const pool = bmcPool({
    clock,
    log: silent,
    access: async () => ({
      address: 's1.test',
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: secret }),
    }),
    transport: () => rack.transport('s1'),
  })
  let good = 0
  let most = 0
  const looks = 24 * 12
  for (let look = 0; look < looks; look++) {
    const [round, turn] = [Math.floor(look / 24), look % 24]
    const [bmcAt, secretAt] = round % 2 === 0 ? [10, 12] : [12, 10]
    if (turn === bmcAt) rack.setPassword('s1', `password of round ${round}`)
    if (turn === secretAt) secret = `password of round ${round}`
    const state = await done(pool.use('s1', one => one.power.state()).catch((error: unknown) => error))
    if (state === 'Off') good++
    most = Math.max(most, rack.counts('s1').sessions)
    await pass(minutes(5))
  }
  expect(most).toBe(1)
  expect(good).toBeGreaterThan(looks * 0.8)
  expect(await done(pool.use('s1', one => one.power.state()))).toBe('Off')
  await done(pool.close())
  expect(rack.counts('s1').sessions).toBe(0)
})

it('I19 what still waits on a line that was given up for other credentials does not log in again with the old ones', async () => {
  const { rack, clock, done, bmc } = await racked('generic', { servers: [{ name: 's1', personality: strict }] })
  await done(bmc.close())
  let revision = '1'
  const pool = bmcPool({
    clock,
    log: silent,
    access: async () => ({
      address: 's1.test',
      tls: { trust: 'System' },
      revision,
      credentials: async () => ({ username: rack.username, password: rack.password('s1') }),
    }),
    transport: () => rack.transport('s1'),
  })
  const old = await done(pool.use('s1', async one => one))
  revision = '2'
  await done(pool.use('s1', one => one.power.state()))
  await expect(done(old.power.state())).rejects.toThrow('this connection was ended')
  expect(rack.counts('s1')).toMatchObject({ sessions: 1, opened: rack.counts('s1').closed + 1 })
  await done(pool.close())
})
