import { execFileSync, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** One etcd member on a disk of its own, with fsync on, spoken to in gRPC over one connection: what kube-apiserver does, without its cost. */
export interface Etcd {
  put(key: string, value: Uint8Array): Promise<void>
  /** Reads everything below `prefix`; resolves with the number of bytes that came. */
  range(prefix: string): Promise<number>
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** The etcd of `tools/kube/build`, else the one in the PATH. */
export function findEtcd(): string | undefined {
  const folders = [builtFolder(), ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map(folder => join(folder, 'etcd')).find(isProgram)
}
function builtFolder(): string {
  try {
    return execFileSync(join(import.meta.dirname, '../tools/kube/build'), { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export async function startEtcd(program: string): Promise<Etcd> {
  const directory = mkdtempSync(join(tmpdir(), 'rackwright-bench-etcd-'))
  const url = `http://127.0.0.1:${20_000 + (process.pid % 20_000)}`
  const peer = `http://127.0.0.1:${20_001 + (process.pid % 20_000)}`
  const args = ['--data-dir', directory, '--listen-client-urls', url, '--advertise-client-urls', url, '--log-level', 'error']
  const cluster = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`]
  const child = spawn(program, [...args, ...cluster], { stdio: 'ignore' })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  await healthy(url, child)
  const session = connect(url)
  const call = (method: string, message: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': method, 'content-type': 'application/grpc', te: 'trailers' })
      let bytes = 0
      stream.on('data', (chunk: Buffer) => (bytes += chunk.length))
      stream.on('trailers', trailers =>
        trailers['grpc-status'] === '0' ? resolve(bytes) : reject(new Error(String(trailers['grpc-message']))),
      )
      stream.on('error', reject)
      stream.end(framed(message))
    })
  return {
    put: async (key, value) => void (await call('/etcdserverpb.KV/Put', twoFields(Buffer.from(key), value))),
    range: prefix => call('/etcdserverpb.KV/Range', twoFields(Buffer.from(prefix), Buffer.from(`${prefix}~`))),
    pid: child.pid,
    stop: async () => {
      session.close()
      child.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function healthy(url: string, child: { readonly exitCode: number | null }): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`Cannot start etcd at ${url}: it did not become healthy in 10 s`)
}

/** etcdserverpb.PutRequest (key, value) and RangeRequest (key, end) alike: fields 1 and 2, both bytes. */
const twoFields = (first: Uint8Array, second: Uint8Array): Buffer => Buffer.concat([field(1, first), field(2, second)])
function field(number: number, bytes: Uint8Array): Buffer {
  const length: number[] = []
  let rest = bytes.length
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes])
}
/** A gRPC message: not compressed, its length, itself. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}
