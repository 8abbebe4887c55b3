// What Node itself costs: a server of node:http that writes a buffer of the size that is given in one call, and does nothing else.
import { randomFillSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const bytes = randomFillSync(Buffer.allocUnsafe(Number(process.argv[2] ?? 0)))
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
