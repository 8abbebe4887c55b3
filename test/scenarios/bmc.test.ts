import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { bmcController } from '../../src/controllers/metal/bmc/index.ts'
import { metalIndexes } from '../../src/controllers/metal/indexes.ts'
import { type BMC, bmcs, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { silent } from '../../src/ports/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { openRack, type Rack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

const makeNames = personalities.map(({ name }) => name)

interface Story extends TestWorld {
  readonly rack: Rack
  stop(): Promise<void>
}

/** One BMC of each make in a simulated rack, the real Redfish client, the real controller, the embedded API; no socket. */
async function story(): Promise<Story> {
  const world = await testWorld(kinds)
  const makes = makeNames
  const rack = openRack({
    clock: world.clock,
    ids: seededIds(seeded('bmc')),
    servers: makes.map(make => ({ name: make, personality: make })),
  })
  const pool = bmcPool({
    clock: world.clock,
    log: silent,
    access: async name => ({
      address: `https://${name}`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(name) }),
    }),
    transport: ({ address }) => rack.transport(new URL(address).hostname),
  })
  const controllers = world.controllers({ indexes: metalIndexes })
  controllers.add(kube => bmcController({ kube, pool }))
  controllers.start()
  for (const [n, name] of makes.entries()) {
    const spec = { access: { ip: `10.0.0.${n + 1}` }, bmcSecretRef: { name }, protocol: { name: 'Redfish', port: 443 } }
    await world.kube.create(bmcs, { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'BMC', metadata: { name }, spec } as unknown as BMC)
  }
  await world.clock.advance(minutes(2))
  return {
    ...world,
    rack,
    async stop() {
      await controllers.stop()
      await pool.close()
      await world.close()
    },
  }
}
const ready = async (world: TestWorld, name: string) =>
  (await world.kube.get(bmcs, { name })).status?.conditions?.find(c => c.type === 'Ready')

describe('BMCs of a simulated rack', () => {
  it('every make answers, and each machine gets one Server', async () => {
    const world = await story()
    const all = (await world.kube.list(servers)).items
    expect(all.map(s => s.spec.bmcRef?.name).sort()).toEqual(makeNames.toSorted())
    expect(new Set(all.map(s => s.spec.systemUUID)).size).toBe(all.length)
    for (const name of makeNames) expect({ name, ...(await ready(world, name)) }).toMatchObject({ name, status: 'True' })
    await world.stop()
  })
  it('I26 a rack at rest is looked at, and nothing is written', async () => {
    const world = await story()
    const before = world.writes().length
    await world.clock.advance(minutes(60))
    expect(world.writes().length).toBe(before)
    await world.stop()
  })
  it('a BMC that does not let us in says so in words, without its password, and recovers', async () => {
    const world = await story()
    const [name = ''] = makeNames
    world.rack.setPassword(name, 'changed-behind-our-back')
    await world.clock.advance(minutes(30))
    expect(JSON.stringify(await world.kube.get(bmcs, { name }))).not.toContain('changed-behind-our-back')
    expect(await ready(world, name)).toMatchObject({ status: 'True' })
    await world.stop()
  })
})
