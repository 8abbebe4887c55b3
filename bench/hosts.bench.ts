import { metal3Kinds } from '../src/api/kinds.ts'
import { hostAccess } from '../src/cli/compose/host-access.ts'
import { hostController } from '../src/controllers/metal3/host/index.ts'
import { metal3Indexes } from '../src/controllers/metal3/indexes.ts'
import { type BareMetalHost, hosts, secrets } from '../src/controllers/metal3/resources.ts'
import { randomIds } from '../src/net/random-ids.ts'
import { silent } from '../src/ports/index.ts'
import { directEngine } from '../src/provisioner/direct/index.ts'
import { bmcPool } from '../src/redfish/index.ts'
import { openControllers } from '../src/runtime/index.ts'
import { openRack } from '../src/sim/rack.ts'
import { seeded, seededIds } from '../src/sim/seed.ts'
import { cpuSince, metalWorld } from './metal.ts'
import type { Benchmark, Result } from './result.ts'

/** Hosts of Metal3, from unknown to available: registered, inspected over Redfish, prepared; and then an hour in which nothing happens. */
const benchmark: Benchmark = { name: 'hosts', run: () => onboard(1_000) }
export default benchmark

const namespace = 'default'
/**
 * baremetal-operator (code of March 2023) in its test mode, which asks no BMC and no Ironic, beside a kube-apiserver: 46 ms of the
 * operator's and about 280 ms of the API's CPU for each host, in one run over 1,000 hosts on another machine of two cores.
 */
const upstream = 46 + 280
const skipped = { skipped: 'nothing comparable runs here' }

async function onboard(count: number): Promise<readonly Result[]> {
  const world = await metalWorld(metal3Kinds)
  const { clock, counted: kube } = world
  const names = Array.from({ length: count }, (_, n) => `host-${n}`)
  const rack = openRack({ clock, ids: seededIds(seeded('bench')), servers: names.map(name => ({ name })) })
  const transport = ({ address }: { readonly address: string }) => rack.transport(new URL(address).hostname)
  const pool = bmcPool({ clock, log: silent, access: hostAccess(world.kube), transport })
  const controllers = openControllers({ kube, clock, ids: randomIds, log: silent, identity: 'bench', indexes: metal3Indexes })
  controllers.add(own => hostController({ kube: own, engine: directEngine(pool), now: () => clock.now() }))
  controllers.start()
  await clock.settle()
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  for (const name of names) {
    const data = { username: btoa(rack.username), password: btoa(rack.password(name)) }
    await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data })
    await world.kube.create(hosts, hostOf(name))
  }
  const available = async (): Promise<number> =>
    (await world.kube.list(hosts)).items.filter(({ status }) => status?.provisioning?.state === 'available').length
  const done = await world.until(async () => controllers.settled() && (await available()) === count, 3_600_000)
  const [used, took] = [cpuSince(cpu), (performance.now() - wall) / 1_000]
  if (!done) throw new Error(`only ${await available()} of ${count} hosts became available`)
  const { writes, events } = world.asked
  const calls = callsOf()
  await world.until(() => false, 3_600_000)
  const rest = { writes: world.asked.writes - writes, calls: callsOf() - calls }
  await world.passing(controllers.stop())
  await world.passing(pool.close())
  await world.close()
  function callsOf(): number {
    return names.reduce((sum, name) => sum + rack.counts(name).calls, 0)
  }
  const of = (what: string): string => `${what}, ${count} hosts of Metal3`
  return [
    {
      name: of('CPU of operator and API per host onboarded (baseline: baremetal-operator in test mode, measured elsewhere)'),
      ours: (used * 1_000) / count,
      baseline: upstream,
      unit: 'ms',
      target: { atMost: 0.5 },
    },
    {
      name: of('onboarded per second (upstream: 2.0)'),
      ours: count / took,
      baseline: skipped,
      unit: 'hosts/s',
      target: { atLeast: 20, of: 'ours' },
    },
    {
      name: of('object writes per host onboarded'),
      ours: writes / count,
      baseline: skipped,
      unit: 'writes',
      target: { atMost: 10, of: 'ours' },
    },
    { name: of('Events per host onboarded'), ours: events / count, baseline: skipped, unit: 'events', target: { atMost: 4, of: 'ours' } },
    {
      name: of('Redfish calls per host onboarded'),
      ours: calls / count,
      baseline: skipped,
      unit: 'calls',
      target: { atMost: 45, of: 'ours' },
    },
    {
      name: of('object writes per host-hour at rest'),
      ours: rest.writes / count,
      baseline: skipped,
      unit: 'writes',
      target: { atMost: 0, of: 'ours' },
    },
    {
      name: of('Redfish calls per host-hour at rest'),
      ours: rest.calls / count,
      baseline: skipped,
      unit: 'calls',
      target: { atMost: 180, of: 'ours' },
    },
  ]
}

function hostOf(name: string): BareMetalHost {
  const spec = {
    online: false,
    bmc: { address: `redfish-virtualmedia://${name}`, credentialsName: name },
    inspectionMode: 'fast',
    automatedCleaningMode: 'disabled',
  }
  return { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata: { name, namespace }, spec } as unknown as BareMetalHost
}
