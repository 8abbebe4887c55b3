import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A process of ours, as somebody runs it. */
export interface Process {
  /** Everything it printed so far. */
  said(): string
  signal(name: NodeJS.Signals): void
  readonly alive: boolean
  /** SIGTERM, and its exit code; one that has not ended after a minute is killed, and has none. */
  stop(): Promise<number | null>
}

export function start(args: readonly string[], logFile?: string): Process {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      chunks.push(text)
      if (logFile !== undefined) appendFileSync(logFile, text)
    })
  const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
  const alive = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    said: () => chunks.join(''),
    signal: name => void child.kill(name),
    get alive() {
      return alive()
    },
    async stop() {
      if (!alive()) return child.exitCode
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const patience = setTimeout(() => child.kill('SIGKILL'), 60_000)
      const code = await ended
      clearTimeout(patience)
      return code
    },
  }
}

/** A way to a port of this machine that can be cut and mended. */
export interface Way {
  readonly port: number
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openWay(to: number): Promise<Way> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server: Server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        drop()
      }),
  }
}
