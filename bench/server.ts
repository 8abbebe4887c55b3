import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { parse } from 'yaml'

/** Rackwright as a user starts it, in a process and a state folder of its own, spoken to over TLS as its administrator. */
export interface Server {
  readonly pid: number | undefined
  /** From the start of the process to the first answer, in milliseconds. */
  readonly coldStart: number
  /** A pool of at most `connections` kept-alive connections; each call resolves with the answer's status and bytes. */
  client(connections: number): Client
  stop(): Promise<void>
}
export interface Client {
  call(method: string, path: string, body?: string, type?: string): Promise<{ readonly status: number; readonly bytes: number }>
  close(): Promise<void>
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }]
  readonly users: readonly [
    { readonly user: Readonly<Record<'client-certificate-data' | 'client-key-data' | 'token', string | undefined>> },
  ]
}

export async function startServer(home: string): Promise<Server> {
  const started = performance.now()
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main, 'up', '--no-sim', '--port', '0'], {
    env: { ...process.env, RACKWRIGHT_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const file = await new Promise<string>((resolve, reject) => {
    child.once('close', () => reject(new Error('Cannot start the server: it ended before it was up')))
    createInterface({ input: child.stdout }).on('line', line => {
      const path = /kubeconfig: (.*)/.exec(line)?.[1]
      if (path !== undefined) resolve(path.trim())
    })
  })
  const client = clientOf(parse(readFileSync(file, 'utf8')) as Kubeconfig)
  const first = client(1)
  const { status } = await first.call('GET', '/api/v1/namespaces')
  if (status !== 200) throw new Error(`Cannot use the server: it answered ${status}`)
  const coldStart = performance.now() - started
  await first.close()
  return {
    pid: child.pid,
    coldStart,
    client,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Clients as the user of a kubeconfig. */
export const clientOfFile = (file: string): Server['client'] => clientOf(parse(readFileSync(file, 'utf8')) as Kubeconfig)

const clientOf =
  ({ clusters, users }: Kubeconfig) =>
  (connections: number): Client => {
    const plain = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64').toString())
    const { cluster } = clusters[0]
    const { user } = users[0]
    const connect = {
      ca: plain(cluster['certificate-authority-data']),
      cert: plain(user['client-certificate-data']),
      key: plain(user['client-key-data']),
    }
    const pool = new Pool(cluster.server, { connections, pipelining: 1, connect: { ...connect } as { ca: string } })
    const authorization = user.token === undefined ? {} : { authorization: `Bearer ${user.token}` }
    return {
      call: async (method, path, body, type = 'application/json') => {
        const answer = await pool.request({
          method,
          path,
          headers: { 'content-type': type, ...authorization },
          ...(body === undefined ? {} : { body }),
        })
        let bytes = 0
        for await (const chunk of answer.body) bytes += (chunk as Buffer).length
        return { status: answer.statusCode, bytes }
      },
      close: () => pool.close(),
    }
  }
