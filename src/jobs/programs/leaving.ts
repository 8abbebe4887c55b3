import { Exit } from './exit.ts'
import type { MachineOf } from './machine.ts'
import { switchTo } from './power.ts'
import { tasksOf } from './quiet.ts'

/** Leaves the machine on or off as it was found, also where the work failed: unless a task is under way, or nobody allows it any more. */
export async function leaving<T>(machine: MachineOf, found: 'On' | 'Off', work: () => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    const ours = error instanceof Exit && error.outcome !== 'Stopped'
    if (ours && (await tasksOf(machine).catch(() => ['unknown'])).length === 0)
      await switchTo(machine, found, 'forced').catch((why: unknown) => machine.say(`The machine is not ${found} again: ${String(why)}`))
    throw error
  }
  await switchTo(machine, found, 'forced')
  return result
}
