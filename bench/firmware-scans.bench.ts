import { scansOf } from '../test/firmware/scans.ts'
import type { Benchmark, Result } from './result.ts'
import { clocked } from './things.ts'

const objects = 10_000
const period = 30
const periods = 3

/** Ten thousand objects that were made in one moment: how evenly they are scanned, and what that writes, with the API and the Job host. */
const benchmark: Benchmark = {
  name: 'firmware-scans',
  async run(): Promise<readonly Result[]> {
    let found!: Awaited<ReturnType<typeof scansOf>>
    const { cpu } = await clocked(async () => {
      found = await scansOf(objects, period, periods)
    })
    const { perMinute, writes, last } = found
    const mean = objects / period
    const nothing = { skipped: 'there is nothing to compare with' }
    const most = (from: number, to: number): number => Math.max(...perMinute.slice(from, to))
    // Jobs are taken away an hour later, for other scans.
    const written = Object.entries(writes).filter(([line]) => !line.startsWith('DELETE'))
    return [
      {
        name: 'most scans in a minute of the first period, against the mean',
        ours: most(0, period),
        baseline: mean,
        unit: 'scans',
        target: { atMost: 2 },
      },
      {
        name: 'most scans in a minute after that, against the mean',
        ours: most(period, period * periods),
        baseline: mean,
        unit: 'scans',
        target: { atMost: 2 },
      },
      {
        name: 'scans of the last period, against one for each object',
        ours: last,
        baseline: objects,
        unit: 'scans',
        target: { atMost: 1.05 },
      },
      ...written.map(
        ([line, count]): Result => ({
          name: `writes per scan: ${line}`,
          ours: count / last,
          baseline: nothing,
          unit: 'writes',
          target: { atMost: 1.01, of: 'ours' },
        }),
      ),
      {
        name: 'a scan with everything around it (API, controllers, Job host)',
        ours: cpu / perMinute.reduce((sum, one) => sum + one, 0),
        baseline: nothing,
        unit: 'ms of processor time',
        target: { atMost: 20, of: 'ours' },
      },
    ]
  },
}
export default benchmark
