import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type BmcAccess, silent } from '../../src/ports/index.ts'
import { bmcPool, openBmc } from '../../src/redfish/index.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { openRack } from '../../src/sim/rack.ts'
import { type Listening, listen } from '../../src/sim/redfish/listen.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { bmcContract } from '../contracts/bmc/contract.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { faultOf } from './open.ts'

const names = Object.keys(makes)
const clock = virtualClock({ start: Date.now() })
/** A fresh server of each make for every sentence of the suite, all behind one listener. */
const servers = names.flatMap(make => Array.from({ length: 30 }, (_, n) => ({ name: `${make}-${n}`, personality: make })))
const rack = openRack({ clock, ids: seededIds(seeded('https')), servers })
const used = new Map<string, number>()
let listening: Listening
beforeAll(async () => {
  listening = await listen(rack, { clock: wallClock, log: silent, port: 0, adminToken: 'a token for tests' })
})
afterAll(() => listening?.close())

const accessTo = (server: string, tls: BmcAccess['tls'] = { ca: listening.authority }): BmcAccess => ({
  address: listening.url(server),
  tls,
  credentials: async () => ({ username: rack.username, password: rack.password(server) }),
})
const options = { clock: wallClock, log: silent }
const settle = async (): Promise<void> => {
  const until = clock.elapsed() + minutes(6)
  do await clock.settle()
  while (clock.advance(until))
}

for (const [make, known] of Object.entries(makes)) {
  const name = `a simulated ${make} machine over HTTPS`
  bmcContract(
    name,
    async () => {
      const n = used.get(make) ?? 0
      used.set(make, n + 1)
      const { calls: _, ...rest } = known
      return { bmc: await openBmc(accessTo(`${make}-${n}`), options), known: { name, ...rest }, settle }
    },
    { changes: true },
  )
}

describe('over HTTPS', () => {
  it('leaves no session behind', () => {
    expect(used.size).toBe(names.length)
    for (const [make, n] of used) for (let i = 0; i < n; i++) expect(rack.counts(`${make}-${i}`).sessions).toBe(0)
  })

  it('a changed certificate is refused', async () => {
    const server = 'generic-29'
    let kept: string | undefined
    const seen = async (found: string): Promise<boolean> => {
      kept ??= found
      return kept === found
    }
    const first = await openBmc(accessTo(server, { trust: 'OnFirstUse', seen }), options)
    expect(await first.power.state()).toBe('Off')
    await first.close()
    rack.fault(server, 'certificate-changed')
    expect(await faultOf(openBmc(accessTo(server, { trust: 'OnFirstUse', seen }), options))).toMatchObject({
      code: 'bmc/untrusted',
      retry: 'when-changed',
    })
    rack.heal(server)
  })

  it('TLS 1.1 is not spoken', async () => {
    const server = 'generic-28'
    rack.fault(server, 'tls-1.1-only')
    expect(await faultOf(openBmc(accessTo(server), options))).toMatchObject({
      code: expect.stringMatching(/^bmc\/(untrusted|unreachable)$/),
    })
    rack.heal(server)
  })

  it('a pool looks at a hundred machines with one login each', async () => {
    const some = rack.servers.filter(server => /-(1[0-9]|2[0-4])$/.test(server))
    const before = new Map(some.map(server => [server, rack.counts(server).opened]))
    const pool = bmcPool({ ...options, access: async server => accessTo(server) })
    const states = await Promise.all([...some, ...some].map(server => pool.use(server, bmc => bmc.power.state())))
    expect(states).toHaveLength(some.length * 2)
    for (const server of some) expect(rack.counts(server).opened - before.get(server)!).toBe(1)
    await pool.close()
    for (const server of some) expect(rack.counts(server).sessions).toBe(0)
  })
})
