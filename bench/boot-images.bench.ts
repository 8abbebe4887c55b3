import { hours } from '../src/core/duration.ts'
import { exampleStream } from '../src/policy/boot-images/fixture.ts'
import { allMapi, cluster, newImage } from '../test/boot-images/cluster.ts'
import type { Benchmark, Result } from './result.ts'
import { clocked } from './things.ts'

const sets = 5_000

/** What a new release costs with thousands of MachineSets: one patch for each that is outdated, nothing for the rest. */
const benchmark: Benchmark = {
  name: 'boot-images',
  async run(): Promise<readonly Result[]> {
    const world = await cluster()
    for (let n = 0; n < sets; n++) await world.machineSet(`ms-${n}`, { image: n % 2 === 0 ? newImage : 'projects/mine/global/images/own' })
    await world.optIn(allMapi)
    await world.passes()
    const before = world.patches()
    const stream = structuredClone(exampleStream)
    stream.architectures.x86_64.images.gcp.name = 'rhcos-next'
    const { cpu } = await clocked(async () => {
      await world.golden({ stream: JSON.stringify(stream) })
      await world.passes()
    })
    const patches = world.patches() - before
    const resting = world.writes().length
    await world.passes(hours(1))
    const writes = world.writes().length - resting
    await world.end()
    return [
      {
        name: '5,000 MachineSets after one change, API server included',
        ours: cpu / 1_000,
        baseline: { skipped: 'there is nothing to compare with' },
        unit: 's of processor time',
        target: { atMost: 5, of: 'ours' },
      },
      { name: 'patches, against those that are outdated', ours: patches, baseline: sets / 2, unit: 'patches', target: { atMost: 1 } },
      { name: 'writes in the hour after that', ours: writes, baseline: sets, unit: 'writes', target: { atMost: 0 } },
    ]
  },
}
export default benchmark
