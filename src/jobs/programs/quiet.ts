import { minutes, seconds } from '../../core/duration.ts'
import { failed } from './exit.ts'
import type { MachineOf } from './machine.ts'

/** A task that somebody began is waited for so long before anything is switched. */
const patience = minutes(40)

export const tasksOf = (machine: MachineOf): Promise<readonly string[]> =>
  machine.look(async (bmc, signal) => (await bmc.firmware?.running(signal)) ?? [])

/** Waits until the BMC has no task under way: nothing is powered, and nothing else is begun, before that. */
export async function untilQuiet(machine: MachineOf): Promise<void> {
  const began = machine.elapsed()
  for (;;) {
    const going = await tasksOf(machine)
    if (going.length === 0) return
    if (machine.elapsed() - began >= patience)
      throw failed(`The BMC has had ${going.join(', ')} under way for ${patience / minutes(1)} minutes: nothing is switched meanwhile`)
    await machine.sleep(seconds(15))
  }
}
