import { claims, type Server, type ServerClaim, servers } from '../src/controllers/metal/resources.ts'
import { serverClaimController } from '../src/controllers/metal/server-claim/index.ts'
import { randomIds } from '../src/net/random-ids.ts'
import type { ImageResolver } from '../src/ports/images.ts'
import { silent } from '../src/ports/index.ts'
import { openControllers } from '../src/runtime/index.ts'
import { cpuSince, metalWorld } from './metal.ts'
import type { Benchmark } from './result.ts'

const count = 1_000
const apiVersion = 'metal.ironcore.dev/v1alpha1'
const image: ImageResolver = {
  inspect: async reference => ({
    reference,
    digest: `sha256:${'0'.repeat(64)}`,
    architecture: 'x86_64',
    architectures: ['x86_64'],
    artifacts: [{ role: 'uki', digest: `sha256:${'1'.repeat(64)}`, bytes: 1 }],
  }),
}

/** A thousand claims at once for a thousand servers. */
const benchmark: Benchmark = {
  name: 'claim-storm',
  run: async () => {
    const world = await metalWorld()
    for (let n = 0; n <= count; n++) {
      const name = `server-${n}`
      const created = {
        apiVersion,
        kind: 'Server',
        metadata: { name },
        spec: { systemUUID: `00000000-0000-0000-0000-${String(n).padStart(12, '0')}` },
      }
      await world.kube.create(servers, created as unknown as Server)
      await world.kube.patch(servers, { name }, { merge: { status: { state: 'Available', powerState: 'Off' } } }, { subresource: 'status' })
    }
    const controllers = openControllers({ kube: world.counted, clock: world.clock, ids: randomIds, log: silent, identity: 'bench' })
    controllers.add(kube => serverClaimController({ kube, images: image }))
    controllers.start()
    await world.until(() => controllers.settled(), 1_000)
    const spec = { power: 'On', image: 'r.example/os:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } }
    const claim = (name: string): Promise<ServerClaim> =>
      world.kube.create(claims, {
        apiVersion,
        kind: 'ServerClaim',
        metadata: { name, namespace: 'default' },
        spec,
      } as unknown as ServerClaim)
    const bound = async (): Promise<number> => (await world.kube.list(claims)).items.filter(c => c.status?.phase === 'Bound').length
    const allBound = (wanted: number): Promise<boolean> =>
      world.until(async () => controllers.settled() && (await bound()) === wanted, 600_000)
    // What one bind costs where nobody else is about: whatever is more in the storm is wasted.
    await claim('alone')
    await allBound(1)
    const alone = world.asked.writes
    world.asked.writes = 0
    const begun = process.cpuUsage()
    await Promise.all(Array.from({ length: count }, (_, n) => claim(`claim-${n}`)))
    const done = await allBound(count + 1)
    const used = cpuSince(begun)
    if (!done) throw new Error(`only ${await bound()} of ${count + 1} claims were bound`)
    const owners = (await world.kube.list(servers)).items.map(({ spec: { serverClaimRef } }) => serverClaimRef?.uid)
    const twice = count + 1 - new Set(owners).size
    const { writes } = world.asked
    await controllers.stop()
    await world.close()
    const skipped = { skipped: 'nothing comparable runs here' }
    return [
      {
        name: `binds per second of one CPU, ${count} claims at once on ${count} servers`,
        ours: count / used,
        baseline: skipped,
        unit: 'binds/s',
        target: { atLeast: 200, of: 'ours' },
      },
      { name: 'servers that two claims have', ours: twice, baseline: skipped, unit: 'servers', target: { atMost: 0, of: 'ours' } },
      {
        name: 'writes per bind beyond those of a claim that is alone',
        ours: writes / count - alone,
        baseline: skipped,
        unit: 'writes',
        target: { atMost: 0.2, of: 'ours' },
      },
      { name: 'writes of a claim that is alone', ours: alone, baseline: skipped, unit: 'writes', target: { atMost: 9, of: 'ours' } },
    ]
  },
}
export default benchmark
