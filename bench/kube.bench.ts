import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crdOf } from '../src/api/crd.ts'
import { kinds } from '../src/api/kinds.ts'
import { installCrds } from '../src/cli/install-crds.ts'
import { connect, kubeClient, loadConnection } from '../src/kube/index.ts'
import { randomIds } from '../src/net/random-ids.ts'
import { wallClock } from '../src/net/wall-clock.ts'
import { widget, widgetCrd } from '../test/contracts/api/objects.ts'
import { startCluster } from '../tools/kube/cluster.ts'
import { cpuOf } from './process.ts'
import type { Benchmark, Result } from './result.ts'
import { type Client, clientOfFile, startServer } from './server.ts'
import { inFolder, together } from './things.ts'

const group = 'bench.rackwright.test'
const path = `/apis/${group}/v1/namespaces/default/widgets`
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const [clients, warming, count, lists, reads, many] = [32, 1_000, 2_000, 20, 3_000, 50_000]

/** A host under measurement: who uses processor time and memory for it, and how it is spoken to. */
interface Host {
  readonly pids: readonly (number | undefined)[]
  readonly coldStart: number
  client(connections: number): Client
  stop(): Promise<void>
}

interface Measured {
  readonly coldStart: number
  readonly memory: number
  readonly create: Cost
  readonly patch: Cost
  readonly listCpu: number
}
interface Cost {
  readonly perSecond: number
  readonly cpu: number
}

/** The embedded API beside kube-apiserver, etcd (with fsync) and kube-controller-manager, with the same CRDs, one after the other in one run. */
const benchmark: Benchmark = {
  name: 'kube',
  run: () =>
    inFolder(async directory => {
      const ours = await whileRunning(await embedded(join(directory, 'home')), measured)
      const gets = await whileRunning(await embedded(join(directory, 'many')), growth)
      const bin = process.env['KUBEBUILDER_ASSETS']
      const theirs =
        bin !== undefined && existsSync(join(bin, 'kube-apiserver')) ? await whileRunning(await real(bin), measured) : undefined
      return [...figures(ours, theirs), gets]
    }),
}
export default benchmark

async function embedded(home: string): Promise<Host> {
  const server = await startServer(home)
  return { ...server, pids: [server.pid] }
}

async function real(bin: string): Promise<Host> {
  const started = performance.now()
  const cluster = await startCluster(bin, { fsync: true })
  const transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
  await installCrds(kubeClient(transport, { clock: wallClock, ids: randomIds }), kinds.map(crdOf))
  await transport.close()
  const client = clientOfFile(cluster.kubeconfig)
  const first = client(1)
  // As ours is: up when the first of our kinds is listed.
  while ((await first.call('GET', '/apis/metal.ironcore.dev/v1alpha1/servers')).status !== 200) await wallClock.sleep(20)
  await first.close()
  return { pids: cluster.pids, coldStart: performance.now() - started, client, stop: () => cluster.stop() }
}

async function whileRunning<T>(host: Host, work: (host: Host) => Promise<T>): Promise<T> {
  try {
    return await work(host)
  } finally {
    await host.stop()
  }
}

const cpu = ({ pids }: Host): number => pids.map(cpuOf).reduce((sum, used) => sum + used, 0)
const memory = ({ pids }: Host): number =>
  pids
    .map(pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
    .reduce((sum, mib) => sum + mib, 0)

async function measured(host: Host): Promise<Measured> {
  const rss = memory(host)
  const client = host.client(clients)
  await define(client)
  const free = { note: 'x'.repeat(2_000) }
  const body = (name: string): string => JSON.stringify(widget(group, name, { size: 3, free }))
  const cost = async (call: (n: number) => Promise<{ readonly status: number }>, expected: number): Promise<Cost> => {
    const [used, started] = [cpu(host), performance.now()]
    await together(clients, count, async n => {
      const { status } = await call(n)
      if (status !== expected) throw new Error(`It answered ${status} instead of ${expected}`)
    })
    return { perSecond: (count * 1_000) / (performance.now() - started), cpu: (cpu(host) - used) / count }
  }
  const make = (name: string) => client.call('POST', path, body(name))
  const ready = (name: string) =>
    client.call('PATCH', `${path}/${name}/status`, '{"status":{"phase":"Ready"}}', 'application/merge-patch+json')
  // Both are measured warm; what warmed them goes again.
  await together(clients, warming, n => make(`warm-${n}`))
  await together(clients, warming, n => ready(`warm-${n}`))
  await together(clients, warming, n => client.call('DELETE', `${path}/warm-${n}`))
  const create = await cost(n => make(`w-${n}`), 201)
  const patch = await cost(n => ready(`w-${n}`), 200)
  for (let n = 0; n < lists; n += 1) await client.call('GET', `${path}?resourceVersion=0`)
  const used = cpu(host)
  for (let n = 0; n < lists; n += 1) await client.call('GET', `${path}?resourceVersion=0`)
  const listCpu = (cpu(host) - used) / lists / (count / 1_000)
  await client.close()
  return { coldStart: host.coldStart, memory: rss, create, patch, listCpu }
}

async function define(client: Client): Promise<void> {
  await client.call('POST', definitions, JSON.stringify(widgetCrd(group)))
  while ((await client.call('GET', path)).status !== 200) await wallClock.sleep(50)
}

/** Processor time of one GET among 100 objects, and among many. */
async function growth(host: Host): Promise<Result> {
  const client = host.client(clients)
  await define(client)
  const make = (from: number, to: number) =>
    together(clients, to - from, n => client.call('POST', path, JSON.stringify(widget(group, `w-${from + n}`, { size: 3 }))))
  const each = async (): Promise<number> => {
    await together(clients, 500, n => client.call('GET', `${path}/w-${n % 100}`))
    const used = cpu(host)
    await together(clients, reads, n => client.call('GET', `${path}/w-${n % 100}`))
    return (cpu(host) - used) / reads
  }
  await make(0, 100)
  const few = await each()
  await make(100, many)
  const result = await each()
  await client.close()
  return {
    name: `processor time per GET among ${many} objects, against 100`,
    ours: result,
    baseline: few,
    unit: 'ms',
    target: { atMost: 1.2 },
  }
}

function figures(ours: Measured, theirs: Measured | undefined): readonly Result[] {
  const against = (of: (measured: Measured) => number): Result['baseline'] =>
    theirs ? of(theirs) : { skipped: 'no kube-apiserver; tools/kube/build makes one, KUBEBUILDER_ASSETS names its folder' }
  const figure = (name: string, unit: string, of: (measured: Measured) => number, target: Result['target']): Result => ({
    name,
    ours: of(ours),
    baseline: against(of),
    unit,
    target,
  })
  return [
    figure('cold start, empty folder to the first list of our kinds', 'ms', m => m.coldStart, { atMost: 0.2 }),
    figure('memory after the start, all processes', 'MiB', m => m.memory, { atMost: 0.35 }),
    figure(`processor time per durable create, ${clients} clients`, 'ms', m => m.create.cpu, { atMost: 0.12 }),
    figure(`durable creates, ${clients} clients`, '1/s', m => m.create.perSecond, { atLeast: 5 }),
    figure(`processor time per durable status patch, ${clients} clients`, 'ms', m => m.patch.cpu, { atMost: 0.12 }),
    figure(`durable status patches, ${clients} clients`, '1/s', m => m.patch.perSecond, { atLeast: 5 }),
    figure('processor time per 1,000 listed objects, resourceVersion=0', 'ms', m => m.listCpu, { atMost: 0.08 }),
  ]
}
