import { type Millis, minutes, seconds } from '../../core/duration.ts'
import { blind, isThroughSelfTest, selfTest } from '../../policy/firmware/self-test.ts'
import { failed } from './exit.ts'
import type { MachineOf } from './machine.ts'
import { untilQuiet } from './quiet.ts'

type Power = 'On' | 'Off'

/** How long a switch may take, and when it is asked for again: calls get lost, and some BMCs take one and do nothing. */
const patience = minutes(10)
const repeat = seconds(90)

/** Whether the machine is on; one that is on its way is waited for. */
export async function powerOf(machine: MachineOf): Promise<Power> {
  const began = machine.elapsed()
  for (;;) {
    const state = await machine.look((bmc, signal) => bmc.power.state(signal))
    if (state === 'On' || state === 'Off') return state
    if (machine.elapsed() - began >= patience)
      throw failed(`The BMC has said ${state} for ${patience / minutes(1)} minutes: nobody knows whether the machine is on`)
    await machine.sleep(seconds(5))
  }
}

/** Switches and waits until the BMC shows it. Never while a task is under way. */
export async function switchTo(machine: MachineOf, to: Power, how: 'graceful' | 'forced'): Promise<void> {
  const began = machine.elapsed()
  let asked: Millis | undefined
  let way = how
  while ((await powerOf(machine)) !== to) {
    if (machine.elapsed() - began >= patience)
      throw failed(`The machine does not go ${to.toLowerCase()} within ${patience / minutes(1)} minutes`)
    if (asked === undefined || machine.elapsed() - asked >= repeat) {
      await untilQuiet(machine)
      // What does not listen the first time is cut off the second time.
      if (asked !== undefined && to === 'Off') way = 'forced'
      await machine.change(`Switches the machine ${to.toLowerCase()} (${way})`, (bmc, signal) => bmc.power.set(to, way, signal))
      asked = machine.elapsed()
    }
    await machine.sleep(seconds(5))
  }
}

/** Waits until the machine is through its self test and no task is under way: what waited for a reset has been done then. */
async function untilThroughPost(machine: MachineOf, shown: () => Promise<boolean>): Promise<void> {
  const began = machine.elapsed()
  for (;;) {
    await machine.sleep(seconds(10))
    const { evidence } = await machine.look((bmc, signal) => bmc.glance(signal))
    const passed = machine.elapsed() - began
    if (isThroughSelfTest(evidence) ?? (passed >= blind && (passed >= selfTest || (await shown())))) return untilQuiet(machine)
    if (passed >= selfTest) throw failed(`The machine does not come out of its self test within ${selfTest / minutes(1)} minutes`)
  }
}

/** Takes a boot override off, and looks whether it is: calls get lost, and what stays armed would be booted by the reset. */
async function disarm(machine: MachineOf): Promise<void> {
  for (let asked = 0; ; asked++) {
    const armed = await machine.look((bmc, signal) => bmc.boot.override(signal))
    if (armed.lasts === 'Disabled' || armed.target === 'None') return
    if (asked === 4)
      throw failed(
        `The BMC keeps the boot override ${armed.raw} although it was asked ${asked} times to drop it: nothing is reset meanwhile`,
      )
    if (asked > 0) await machine.sleep(seconds(15))
    await machine.change(`Disarms the boot override ${armed.raw}`, (bmc, signal) => bmc.boot.clear(signal))
  }
}

/**
 * One reset of the machine, through its self test. Nothing is armed for it: with nothing to boot from but what its BIOS order says, and no
 * ticket, it installs nothing. `shown` tells whether the machine shows what the reset is for.
 */
export async function restart(machine: MachineOf, found: Power, shown: () => Promise<boolean>): Promise<void> {
  await disarm(machine)
  await switchTo(machine, 'Off', found === 'On' ? 'graceful' : 'forced')
  await switchTo(machine, 'On', 'graceful')
  await untilThroughPost(machine, shown)
}
