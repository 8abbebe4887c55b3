import { manners } from '../ironic-agent/manners.ts'
import type { Machine } from '../machine.ts'
import type { AssistedSettings } from '../world.ts'
import { runAssistedAgent } from './agent.ts'

const name = 'agent.service'

/** The step start_assisted_install on a simulated machine, with the words of the real one. Undefined where it ended well. */
export async function startAssisted(machine: Machine, assisted: AssistedSettings): Promise<string | undefined> {
  const { clock } = machine.site
  if (assisted.runs) return `${name} runs already: it must be left to this step`
  if (manners(machine, 'assisted is skipped')) return `${name}: it never ran: a condition of its unit is not met`
  await clock.sleep(5_000)
  if (manners(machine, 'assisted exits')) return `${name}: it failed (exit-code)`
  if (manners(machine, 'assisted crashes')) {
    await clock.sleep(25_000)
    return `${name}: it was restarted 6 times without running for a minute (exit-code)`
  }
  await runAssistedAgent(machine, assisted, 'assisted')
  return undefined
}
