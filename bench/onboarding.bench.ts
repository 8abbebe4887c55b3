import { servers } from '../src/controllers/metal/resources.ts'
import { cpuSince } from './metal.ts'
import { benchRack } from './metal-rack.ts'
import type { Benchmark, Result } from './result.ts'

const skipped = { skipped: 'nothing comparable runs here' }

/** From a rack that nobody knows to one that can be claimed: BMCs asked, machines probed by PXE, inventories kept. */
const benchmark: Benchmark = {
  name: 'onboarding',
  run: async () => [...(await onboard(1_000)), ...(await onboard(10_000))],
}
export default benchmark

async function onboard(count: number): Promise<readonly Result[]> {
  const world = await benchRack(count)
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  await world.enrol()
  let told = wall
  const available = async (): Promise<number> => (await world.kube.list(servers)).items.filter(s => s.status?.state === 'Available').length
  const done = await world.until(async () => {
    // Counting ten thousand objects at every instant would be most of what is measured.
    if (performance.now() - told < 5_000 && !world.controllers.settled()) return false
    const ready = await available()
    if (performance.now() - told >= 5_000) {
      told = performance.now()
      console.error(`  onboarding ${count}: ${ready} are available after ${((told - wall) / 1_000).toFixed(0)} s`)
    }
    return ready === count
  }, 3_600_000)
  const used = cpuSince(cpu)
  if (!done) throw new Error(`only ${await available()} of ${count} servers became available`)
  const calls = world.rack.servers.reduce((sum, name) => sum + world.rack.counts(name).calls, 0)
  const { writes, refused, events } = world.asked
  await world.stop()
  const name = (what: string): string => `${what}, onboarding ${count} servers`
  return [
    {
      name: name('servers per second of one CPU'),
      ours: count / used,
      baseline: skipped,
      unit: 'servers/s',
      target: { atLeast: 40, of: 'ours' },
    },
    { name: name('object writes per server'), ours: writes / count, baseline: skipped, unit: 'writes', target: { atMost: 18, of: 'ours' } },
    { name: name('of them refused'), ours: refused / count, baseline: skipped, unit: 'writes', target: { atMost: 1, of: 'ours' } },
    { name: name('Events per server'), ours: events / count, baseline: skipped, unit: 'events', target: { atMost: 4, of: 'ours' } },
    { name: name('Redfish calls per server'), ours: calls / count, baseline: skipped, unit: 'calls', target: { atMost: 45, of: 'ours' } },
  ]
}
