// Serves a live ISO as it is (`/plain`) and a thousand images of hosts made of it, on a free port. Prints where, and what the thousand cost.
import { readFileSync } from 'node:fs'
import { serveArtifact } from '../src/boot/artifact.ts'
import { openBase } from '../src/boot/host-images/base.ts'
import { fileSource } from '../src/boot/host-images/file-source.ts'
import { hostImageHandler } from '../src/boot/host-images/handler.ts'
import { openShelf } from '../src/boot/host-images/shelf.ts'
import { serve } from '../src/net/server.ts'
import { wallClock } from '../src/net/wall-clock.ts'
import { agentIgnition } from '../src/policy/host-image/agent-ignition.ts'
import { type HttpRequest, silent } from '../src/ports/index.ts'

const [path = '', many = '1000'] = process.argv.slice(2)
const file = await fileSource(path)
let answer: (request: HttpRequest) => ReturnType<ReturnType<typeof hostImageHandler>> = () => undefined
const { url } = await serve({
  host: '127.0.0.1',
  port: 0,
  clock: wallClock,
  log: silent,
  handler: async request => answer(request) ?? { status: 404, headers: {}, body: new Uint8Array() },
})
const shelf = openShelf({ baseUrl: url, key: Buffer.alloc(32, 1) })
shelf.add('x86_64', await openBase(file, 'x86_64', digest => `${url}/host-images/${digest}/rootfs.img`))
const images = hostImageHandler(shelf)
const plain = { size: file.size, etag: '"plain"', read: file.read }
answer = request => (request.url === '/plain' ? serveArtifact(plain, 'iso', request) : images(request))

const agent = {
  apiUrl: `${url}/agent`,
  callbackUrl: `${url}/agent/v1/continue`,
  image: 'registry.example/ironic-agent:1',
  sshKeys: [`ssh-rsa ${'A'.repeat(700)}`],
}
/** What zlib used is let go some turns after it was used. */
const collected = async (): Promise<number> => {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.()
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
const written = (): number => Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
const before = { memory: await collected(), written: written() }
const began = process.cpuUsage()
let ignitions = 0
let image = ''
for (let i = 0; i < Number(many); i++) {
  const ignition = agentIgnition(agent, `host-${i}`, [
    { name: 'eth0.nmconnection', content: `[connection]\nid=eth0-${i}\n${'#'.repeat(2_000)}` },
  ])
  ignitions += JSON.stringify(ignition).length
  image = shelf.keep({ uid: `uid-${i}`, architecture: 'x86_64', format: 'iso', minimal: false, ignition }).imageUrl
}
const spent = process.cpuUsage(began)
const each = (spent.user + spent.system) / 1e6 / Number(many)
const wrote = written() - before.written
console.log(
  JSON.stringify({
    plain: `${url}/plain`,
    image,
    memory: (await collected()) - before.memory,
    ignitions,
    written: wrote,
    each,
    size: file.size,
  }),
)
