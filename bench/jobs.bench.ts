import { programWorld } from '../test/jobs/program-world.ts'
import type { Benchmark, Result } from './result.ts'
import { clocked } from './things.ts'

const scans = 300

/** What a scan costs besides waiting: the program, its Redfish and Kubernetes clients, and, since all run in one process, the simulated BMC and the API, too. */
const benchmark: Benchmark = {
  name: 'jobs',
  async run(): Promise<readonly Result[]> {
    const results: Result[] = []
    // An iDRAC has the longest list of firmware.
    for (const [program, make] of [
      ['bios-scan', 'generic'],
      ['firmware-scan', 'generic'],
      ['firmware-scan', 'dell'],
    ] as const) {
      const world = await programWorld(make)
      await world.wishBios({ settings: { QuietBoot: true, BootDelaySeconds: 5, AssetTag: '' } })
      for (let n = 0; n < 50; n++) await world.run(program)
      const calls = world.rack.counts('srv').calls
      const { cpu } = await clocked(async () => {
        for (let n = 0; n < scans; n++) await world.run(program)
      })
      const perScan = (world.rack.counts('srv').calls - calls) / scans
      await world.close()
      const nothing = { skipped: 'there is nothing to compare with' }
      results.push(
        {
          name: `${program} on ${make}, simulated BMC and API included`,
          ours: cpu / scans,
          baseline: nothing,
          unit: 'ms of processor time',
          target: { atMost: 5, of: 'ours' },
        },
        {
          name: `${program} on ${make}, requests to the BMC`,
          ours: perScan,
          baseline: nothing,
          unit: 'requests',
          target: { atMost: 6, of: 'ours' },
        },
      )
    }
    return results
  },
}
export default benchmark
