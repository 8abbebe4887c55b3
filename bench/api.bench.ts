import { join } from 'node:path'
import { type Etcd, findEtcd, startEtcd } from './etcd.ts'
import { servedBy, type Times } from './process.ts'
import { type Benchmark, median, type Result, type Target } from './result.ts'
import { type Client, startServer } from './server.ts'
import { inFolder, together } from './things.ts'

const skipped = { skipped: 'no etcd; build one with tools/kube/build etcd' }
const path = '/api/v1/namespaces/default/configmaps'
const map = (n: number): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `map-${n}` }, data: { text: `number ${n} `.repeat(280) } })
const loads = [
  { clients: 1, count: 200 },
  { clients: 32, count: 3_000 },
  { clients: 256, count: 6_000 },
]
const rounds = 3

/** The whole way over TLS with authentication and RBAC, against etcd alone, which is less than any API server on top of it can cost. */
const benchmark: Benchmark = {
  name: 'api',
  run: () =>
    inFolder(async directory => {
      const starts = await coldStarts(directory)
      const program = findEtcd()
      const server = await startServer(join(directory, 'home'))
      const etcd = program === undefined ? undefined : await startEtcd(program)
      const results: Result[] = [{ name: 'cold start from an empty folder', ...starts, unit: 'ms', target: { atMost: 1_000, of: 'ours' } }]
      let made = 0
      try {
        for (const { clients, count } of loads) {
          const client = server.client(clients)
          const first = made
          made += rounds * count
          const create = (round: number) => together(clients, count, n => ok(client, 'POST', path, map(first + round * count + n), 201))
          const patch = (round: number) =>
            together(clients, count, n => ok(client, 'PATCH', `${path}/map-${first + round * count + n}`, `{"data":{"more":"${n}"}}`, 200))
          const put = (round: number) =>
            together(clients, count, async n => etcd?.put(`/registry/${first + round * count + n}`, Buffer.from(map(n))))
          for (const [verb, work] of Object.entries({ creates: create, patches: patch })) {
            const us: Times[] = []
            const them: Times[] = []
            for (let round = 0; round < rounds; round++) {
              us.push(await servedBy(server.pid, () => work(round)))
              if (etcd) them.push(await servedBy(etcd.pid, () => put(round)))
            }
            const name = `durable ${verb} over TLS, ${clients} client${clients === 1 ? '' : 's'}`
            results.push(...rates(name, count, us, them, clients === 32 ? { atLeast: 2_000, of: 'ours' } : { atLeast: 0.5 }))
          }
          await client.close()
        }
        results.push(await listing(server, etcd, made))
      } finally {
        await etcd?.stop()
        await server.stop()
      }
      return results
    }),
}
export default benchmark

async function ok(client: Client, method: string, at: string, body: string | undefined, expected: number): Promise<number> {
  const { status, bytes } = await client.call(method, at, body, method === 'PATCH' ? 'application/merge-patch+json' : undefined)
  if (status !== expected) throw new Error(`Cannot ${method} ${at}: it answered ${status}`)
  return bytes
}

function rates(name: string, count: number, us: readonly Times[], them: readonly Times[], rate: Target): Result[] {
  const perSecond = (times: readonly Times[]) => (count * 1_000) / median(times.map(({ wall }) => wall))
  const cpuEach = (times: readonly Times[]) => (median(times.map(({ cpu }) => cpu)) * 1_000) / count
  const against = (measure: (times: readonly Times[]) => number) => (them.length > 0 ? measure(them) : skipped)
  return [
    { name, ours: perSecond(us), baseline: against(perSecond), unit: '1/s', target: rate },
    { name: `${name}, server's processor time each`, ours: cpuEach(us), baseline: against(cpuEach), unit: 'us', target: { atMost: 3 } },
  ]
}

/** Everything at once; etcd's answer is the same objects in its own encoding. */
async function listing(server: { client(connections: number): Client }, etcd: Etcd | undefined, count: number): Promise<Result> {
  const client = server.client(1)
  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let round = 0; round < 7; round++) times.push((await servedBy(process.pid, work)).wall)
    return median(times)
  }
  const ours = await timed(() => ok(client, 'GET', path, undefined, 200))
  const baseline = etcd ? await timed(() => etcd.range('/registry/')) : skipped
  await client.close()
  return { name: `list of ${count} objects over TLS`, ours, baseline, unit: 'ms', target: { atMost: 2 } }
}

async function coldStarts(directory: string): Promise<{ ours: number; baseline: Result['baseline'] }> {
  const program = findEtcd()
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 3; round++) {
    const server = await startServer(join(directory, `cold-${round}`))
    ours.push(server.coldStart)
    await server.stop()
    if (program === undefined) continue
    const started = performance.now()
    const etcd = await startEtcd(program)
    theirs.push(performance.now() - started)
    await etcd.stop()
  }
  return { ours: median(ours), baseline: program === undefined ? skipped : median(theirs) }
}
