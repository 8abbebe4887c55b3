import { minutes, seconds } from '../../core/duration.ts'
import { failed } from './exit.ts'
import type { MachineOf } from './machine.ts'

/** A task that somebody began is waited for so long before anything is switched. */
const patience = minutes(40)
/** iDRACs list a new task up to half a minute after it was begun: one empty list says nothing. */
const calm = seconds(45)

/** The tasks that the BMC says are under way; remembers since when there have been none. */
export async function tasksOf(machine: MachineOf): Promise<readonly string[]> {
  const going = await machine.look(async (bmc, signal) => (await bmc.firmware?.running(signal)) ?? [])
  if (going.length > 0) machine.quiet.since = undefined
  else machine.quiet.since ??= machine.elapsed()
  return going
}

/** Waits until the BMC has had no task under way for a while: nothing is powered, and nothing else is begun, before that. */
export async function untilQuiet(machine: MachineOf): Promise<void> {
  const began = machine.elapsed()
  for (;;) {
    const going = await tasksOf(machine)
    const { since } = machine.quiet
    if (since !== undefined && machine.elapsed() - since >= calm) return
    if (machine.elapsed() - began >= patience)
      throw failed(`The BMC has had ${going.join(', ')} under way for ${patience / minutes(1)} minutes: nothing is switched meanwhile`)
    await machine.sleep(seconds(15))
  }
}
