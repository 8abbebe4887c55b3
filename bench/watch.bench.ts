import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect, loadConnection } from '../src/kube/index.ts'
import type { HttpTransport } from '../src/net/client.ts'
import { wallClock } from '../src/net/wall-clock.ts'
import { startCluster } from '../tools/kube/cluster.ts'
import { cpuOf } from './process.ts'
import type { Benchmark, Result } from './result.ts'
import { startServer } from './server.ts'
import { inFolder } from './things.ts'

const watchers = 1_000
const writes = 200
/** Twenty writes a second: what each costs is told, not how many can be crammed together. */
const pace = 50
const path = '/api/v1/namespaces/default/configmaps'
const text = 'x'.repeat(1_000)

interface Measured {
  readonly eventsPerCpuSecond: number
}

/** Many watchers of one collection over TLS: how many events a processor second of the server delivers. */
const benchmark: Benchmark = {
  name: 'watch',
  run: () =>
    inFolder(async directory => {
      const server = await startServer(join(directory, 'home'))
      const ours = await whileRunning(server, () => measured(join(directory, 'home', 'kubeconfig'), [server.pid]))
      const bin = process.env['KUBEBUILDER_ASSETS']
      if (bin === undefined || !existsSync(join(bin, 'kube-apiserver'))) {
        return [figure(ours, { skipped: 'no kube-apiserver; tools/kube/build makes one, KUBEBUILDER_ASSETS names its folder' })]
      }
      const cluster = await startCluster(bin, { fsync: true })
      const theirs = await whileRunning(cluster, () => measured(cluster.kubeconfig, cluster.pids))
      return [figure(ours, theirs.eventsPerCpuSecond)]
    }),
}
export default benchmark

const figure = (ours: Measured, baseline: Result['baseline']): Result => ({
  name: `watch events delivered per processor second, ${watchers} watchers over TLS`,
  ours: ours.eventsPerCpuSecond,
  baseline,
  unit: '1/s',
  target: { atLeast: 1.5 },
})

async function whileRunning<T>(running: { stop(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await running.stop()
  }
}

const cpuOfAll = (pids: readonly (number | undefined)[]): number => pids.map(cpuOf).reduce((sum, cpu) => sum + cpu, 0)

async function measured(kubeconfig: string, pids: readonly (number | undefined)[]): Promise<Measured> {
  const transport = connect(await loadConnection({ file: kubeconfig }), wallClock)
  const abort = new AbortController()
  try {
    const from = await revision(transport)
    const counts = Array.from({ length: watchers }, () => watched(transport, from, abort.signal))
    const ready = await Promise.all(counts.map(count => count.open))
    if (ready.length !== watchers) throw new Error('not every watch was opened')
    const used = cpuOfAll(pids)
    for (let n = 0; n < writes; n += 1) {
      const paced = setTimeout(pace)
      const body = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `watched-${n}` }, data: { text } }))
      const { status } = await transport({ method: 'POST', url: path, headers: { 'content-type': 'application/json' }, body })
      if (status !== 201) throw new Error(`Cannot create: ${status}`)
      await paced
    }
    await Promise.all(counts.map(count => count.all))
    const cpu = cpuOfAll(pids) - used
    return { eventsPerCpuSecond: (watchers * writes * 1_000) / cpu }
  } finally {
    abort.abort()
    await transport.close()
  }
}

/** One watcher: `open` when the server answered, `all` when every write was told. */
function watched(transport: HttpTransport, from: string, signal: AbortSignal): { open: Promise<void>; all: Promise<void> } {
  const { promise: open, resolve: opened, reject } = Promise.withResolvers<void>()
  const read = async (): Promise<void> => {
    const response = await transport({ method: 'GET', url: `${path}?watch=true&resourceVersion=${from}`, headers: {}, signal })
    if (response.status !== 200 || response.body instanceof Uint8Array) throw new Error(`Cannot watch: ${response.status}`)
    opened()
    let seen = 0
    for await (const chunk of response.body) {
      for (const byte of chunk) if (byte === 10) seen += 1
      if (seen >= writes) return
    }
    throw new Error(`a watch ended after ${seen} of ${writes} events`)
  }
  const all = read()
  all.catch(reject)
  return { open, all }
}

async function revision(transport: HttpTransport): Promise<string> {
  const response = await transport({ method: 'GET', url: `${path}?limit=1`, headers: {} })
  const chunks: Uint8Array[] = []
  if (response.body instanceof Uint8Array) chunks.push(response.body)
  else for await (const chunk of response.body) chunks.push(chunk)
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { metadata: { resourceVersion: string } }).metadata.resourceVersion
}
