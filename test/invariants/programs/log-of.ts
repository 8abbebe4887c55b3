// Prints everything that happened in one run: `node log-of.ts <story> <seed> <plan>`.
import { parsePlan } from '../../../src/sim/faults/fault.ts'
import { openGuard } from '../../../src/sim/guard.ts'
import { prepare, runStory } from '../../../src/sim/run.ts'
import { stories } from '../engine/stories.ts'

export async function textOf(name: string, seed: string, plan: string): Promise<string> {
  const story = stories.find(known => known.name === name)
  const faults = parsePlan(plan)
  if (!story || !faults) throw new Error(`Cannot run "${name}" with "${plan}": one of them is not known`)
  const guard = openGuard()
  try {
    const run = await runStory(story, { seed, plan: faults, guard, disk: await prepare(story, guard) })
    return `${run.log()}${run.said.map(line => `${JSON.stringify(line)}\n`).join('')}${run.violations.join('\n')}${run.end}\n`
  } finally {
    guard.close()
  }
}

if (import.meta.main) {
  const [name = '', seed = '', plan = 'none'] = process.argv.slice(2)
  process.stdout.write(await textOf(name, seed, plan))
}
