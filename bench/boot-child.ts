// A boot server on a free port, with a hot image of the size that is given: its address is printed, and it serves until it is killed.
import { randomFillSync } from 'node:crypto'
import { diskBlobs } from '../src/boot/blobs/disk.ts'
import { hotBlobs } from '../src/boot/blobs/hot.ts'
import { serve } from '../src/net/server.ts'
import { wallClock } from '../src/net/wall-clock.ts'
import { verified } from '../src/oci/verify.ts'
import { silent } from '../src/ports/index.ts'
import { bootWorld } from '../test/boot/world.ts'

const [folder = '', size = '0'] = process.argv.slice(2)
const uki = randomFillSync(Buffer.allocUnsafe(Number(size)))
const world = await bootWorld({ blobs: hotBlobs(diskBlobs(folder, verified), wallClock), files: { uki } })
const { url } = await serve({
  host: '127.0.0.1',
  port: 0,
  clock: wallClock,
  log: silent,
  handler: (...asked) => world.boot.handler(...asked),
})
console.log(`${url}${world.ticket()}/os.efi`)
