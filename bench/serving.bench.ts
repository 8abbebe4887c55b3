import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { servedBy, type Times } from './process.ts'
import { type Benchmark, median, type Result } from './result.ts'
import { inFolder } from './things.ts'

const mebibyte = 1 << 20
const size = 200 * mebibyte
const rounds = 5
const fetches = 5
const skipped = { skipped: 'no nginx; apt-get install nginx-light' }

/** A hot image of 200 MiB, fetched whole over loopback: our boot server with tickets, evidence and all, against nginx with sendfile. */
const benchmark: Benchmark = {
  name: 'serving',
  run: () =>
    inFolder(async folder => {
      const ours = await program('boot-child.ts', folder, String(size))
      const plain = await program('plain-child.ts', String(size))
      const [blob = ''] = readdirSync(folder)
      const nginx = spawnSync('nginx', ['-v']).error ? undefined : await startNginx(folder)
      try {
        const results: Result[] = []
        for (const [client, fetchWhole] of Object.entries(clients)) {
          const work = async (url: string): Promise<void> => {
            for (let i = 0; i < fetches; i++) await fetchWhole(url)
          }
          const us: Times[] = []
          const node: Times[] = []
          const them: Times[] = []
          await work(ours.said)
          await work(plain.said)
          for (let round = 0; round < rounds; round++) {
            us.push(await servedBy(ours.pid, () => work(ours.said)))
            node.push(await servedBy(plain.pid, () => work(plain.said)))
            if (nginx) them.push(await servedBy(nginx.pid, () => work(`${nginx.url}/${blob}`)))
          }
          results.push(...figures(client, us, node, them))
        }
        return results
      } finally {
        ours.child.kill('SIGKILL')
        plain.child.kill('SIGKILL')
        nginx?.child.kill('SIGKILL')
      }
    }),
}
export default benchmark

function figures(client: string, us: readonly Times[], node: readonly Times[], them: readonly Times[]): readonly Result[] {
  const gibibytes = (fetches * size) / (1024 * mebibyte)
  const cpu = (times: readonly Times[]): number => median(times.map(t => t.cpu)) / 1_000 / gibibytes
  const rate = (times: readonly Times[]): number => (fetches * 200) / (median(times.map(t => t.wall)) / 1_000)
  const against = (measure: (times: readonly Times[]) => number) => (them.length > 0 ? measure(them) : skipped)
  const name = `hot 200 MiB UKI, ${client}`
  return [
    { name: `${name}, server's processor time`, ours: cpu(us), baseline: against(cpu), unit: 's/GiB', target: { atMost: 1.2 } },
    { name: `${name}, the same against plain node:http`, ours: cpu(us), baseline: cpu(node), unit: 's/GiB', target: { atMost: 1.2 } },
    { name, ours: rate(us), baseline: against(rate), unit: 'MiB/s', target: { atLeast: 0.5 } },
  ]
}

const program = (name: string, ...args: readonly string[]): Promise<Started> =>
  started(spawn(process.execPath, [join(import.meta.dirname, name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] }))

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly said: string
}

const started = (child: ChildProcess): Promise<Started> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve({ child, pid: child.pid!, said: chunk.toString('utf8').trim() }))
    child.once('exit', code => reject(new Error(`the boot server ended with ${code}`)))
  })

/** One process, as nginx is set up everywhere: sendfile, kept-alive connections, no log. */
async function startNginx(folder: string): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly url: string }> {
  const socket = 20_000 + (process.pid % 20_000)
  const config = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 64; }
http { access_log off; sendfile on; tcp_nopush on; default_type application/efi; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
server { listen 127.0.0.1:${socket}; root ${folder}; } }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${socket}`
  for (let i = 0; i < 200; i++) {
    if (await new Promise(resolve => get(url, response => resolve(response.resume())).once('error', () => resolve(false)))) break
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { child, pid: child.pid!, url }
}

/** Reads and drops everything, through Node: it is busier than either server. */
const slowly = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, response => {
      if (response.statusCode !== 200) return reject(new Error(`Cannot fetch the image: it answered ${response.statusCode}`))
      let seen = 0
      response.on('data', (chunk: Buffer) => (seen += chunk.length))
      response.on('end', () => (seen === size ? resolve() : reject(new Error(`Cannot fetch the image: ${seen} bytes came`))))
    }).once('error', reject)
  })

/** Keeps the server busy all the time. */
const fast = (url: string): Promise<void> =>
  new Promise((resolve, reject) =>
    spawn('curl', ['-sf', '-o', '/dev/null', url], { stdio: 'ignore' })
      .once('exit', code => (code === 0 ? resolve() : reject(new Error(`Cannot fetch the image: curl ended with ${code}`))))
      .once('error', reject),
  )

const clients: Readonly<Record<string, (url: string) => Promise<void>>> = {
  ...(spawnSync('curl', ['--version']).error ? {} : { 'a client that keeps up (curl)': fast }),
  'a client that does not': slowly,
}
