import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../src/apiserver/store/sqlite.ts'
import { openWorld } from '../src/apiserver/world/index.ts'
import { silent } from '../src/ports/index.ts'
import { type Benchmark, median } from './result.ts'
import { clocked, inFolder, thing, things, together } from './things.ts'

const count = 50_000

/** Restart with 50,000 objects, against reading the same bytes from one plain file and cutting them at the line feeds. */
const benchmark: Benchmark = {
  name: 'load',
  run: () =>
    inFolder(async directory => {
      const open = async () =>
        openWorld({ store: await openSqliteStore(join(directory, 'data'), { log: silent }), log: silent, compactAfter: 100 })
      const first = await open()
      await together(1_000, count, n => first.write(things, `server-${n}`, () => ({ put: thing(n) })))
      await first.close()
      const log = join(directory, 'log')
      writeFileSync(log, `${Array.from({ length: count }, (_, n) => JSON.stringify(thing(n))).join('\n')}\n`)

      const ours: { wall: number; cpu: number }[] = []
      const floor: { wall: number; cpu: number }[] = []
      for (let round = 0; round < 5; round++) {
        let world = first
        ours.push(
          await clocked(async () => {
            world = await open()
          }),
        )
        await world.close()
        floor.push(await clocked(async () => cut(readFileSync(log))))
      }
      const wall = median(ours.map(one => one.wall))
      const cpu = median(ours.map(one => one.cpu))
      return [
        { name: 'open 50,000 objects, wall', ours: wall, baseline: median(floor.map(one => one.wall)), unit: 'ms', target: { atMost: 2 } },
        {
          name: 'open 50,000 objects, processor',
          ours: cpu,
          baseline: median(floor.map(one => one.cpu)),
          unit: 'ms',
          target: { atMost: 2 },
        },
      ]
    }),
}
export default benchmark

function cut(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  for (let from = 0, to = bytes.indexOf(10); to >= 0; from = to + 1, to = bytes.indexOf(10, from))
    found.set(found.size, Buffer.from(bytes.subarray(from, to)))
  return found
}
