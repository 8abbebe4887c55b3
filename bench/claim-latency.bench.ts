import { claims, type ServerClaim } from '../src/controllers/metal/resources.ts'
import { printInstant } from '../src/core/instant.ts'
import type { KubeObject } from '../src/core/object.ts'
import { uuidOf } from '../src/sim/machine/identity.ts'
import { type BenchRack, benchRack, bmcOf } from './metal-rack.ts'
import type { Benchmark } from './result.ts'

const present = 10_000
const asked = 200
const apiVersion = 'metal.ironcore.dev/v1alpha1'

/** How long a claim waits for us before its server is switched on, with a large fleet around it. BMCs answer at once; what they take is theirs. */
const benchmark: Benchmark = {
  name: 'claim-latency',
  run: async () => {
    const world = await benchRack(present)
    await plant(world)
    await world.start()
    console.error(`  claim-latency: looking at ${present} servers for the first time`)
    await world.until(() => world.controllers.settled(), 600_000)
    const waits: number[] = []
    for (let n = 0; n < asked; n++) waits.push(await wait(world, n))
    waits.sort((a, b) => a - b)
    await world.stop()
    return [
      {
        name: `claim to power-on, p99 of ${asked}, ${present} servers present`,
        ours: waits[Math.floor(asked * 0.99)]! / 1_000,
        baseline: { skipped: 'nothing comparable runs here' },
        unit: 's',
        target: { atMost: 1, of: 'ours' },
      },
      {
        name: `the same, median`,
        ours: waits[asked >> 1]! / 1_000,
        baseline: { skipped: 'nothing comparable runs here' },
        unit: 's',
        target: { atMost: 1, of: 'ours' },
      },
    ]
  },
}
export default benchmark

/** A fleet that was found long ago. */
async function plant(world: BenchRack): Promise<void> {
  const creationTimestamp = printInstant(world.clock.now())
  for (const [n, name] of world.rack.servers.entries()) {
    const meta = { creationTimestamp, generation: 1 }
    const bmc = bmcOf(name, n) as unknown as KubeObject
    await world.plant('metal.ironcore.dev/bmcs', name, { ...bmc, metadata: { ...meta, name, uid: `bmc-${n}` } })
    const server = `${name}-system-0`
    await world.plant('metal.ironcore.dev/servers', server, {
      apiVersion,
      kind: 'Server',
      metadata: { ...meta, name: server, uid: `server-${n}`, finalizers: ['metal.ironcore.dev/server'] },
      spec: { systemUUID: uuidOf(n), bmcRef: { name }, reclaimPolicy: 'Recycle', bootOrderPolicy: 'Audit', unclaimable: false },
      status: { state: 'Available', stateSince: creationTimestamp, powerState: 'Off', processors: [{ id: '0', architecture: 'x86_64' }] },
    })
  }
}

/** Simulated time that we let pass, and the time that we took. */
async function wait(world: BenchRack, n: number): Promise<number> {
  const [began, wall] = [world.clock.elapsed(), performance.now()]
  const name = `claim-${n}`
  const spec = { power: 'On', image: 'images.sim/debian:13', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } }
  await world.kube.create(claims, {
    apiVersion,
    kind: 'ServerClaim',
    metadata: { name, namespace: 'default' },
    spec,
  } as unknown as ServerClaim)
  let machine: string | undefined
  const on = await world.until(async () => {
    machine ??= (await world.kube.get(claims, { name, namespace: 'default' })).status?.binding?.server.replace('-system-0', '')
    return machine !== undefined && world.rack.machine(machine).power !== 'Off'
  }, 120_000)
  if (!on) throw new Error(`${machine ?? 'no server'} was not switched on for ${name}`)
  return world.clock.elapsed() - began + performance.now() - wall
}
