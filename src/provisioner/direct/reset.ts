import { minutes, seconds } from '../../core/duration.ts'
import { hasPassed, selfTest } from '../../policy/firmware/self-test.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { powerOff, powerOn } from './power.ts'
import { hasRestarted } from './restart.ts'
import type { There } from './sight.ts'
import { start, stop } from './start.ts'
import { type Begun, givenFor, giveUp, pending } from './turns.ts'

/** One start of a machine from nothing, through its self test; undefined once that has happened. `shown`: it shows what it is for. */
export function reset(machine: There, host: HostOrder, begun: Begun, shown: boolean): Turn | undefined {
  const through = throughSelfTest(machine, begun, shown)
  if (through !== 'not begun') return through
  if (begun.memory?.work === begun.work && begun.memory.step === 'switchOn') return powerOn(machine, begun)
  const inService = begun.work === 'service'
  // A machine that nobody uses yet has no system that could be asked.
  const off = inService ? stop(machine, host, begun) : powerOff(machine, { off: 'hard', neverOff: host.neverOff }, begun)
  if (off.is !== 'done') return off
  return inService ? start(machine, host, begun) : powerOn(machine, begun)
}

/** What follows while a machine that was started is in its self test; undefined when it is through. */
export function throughSelfTest(machine: There, begun: Begun, shown: boolean): Turn | undefined | 'not begun' {
  const given = givenFor(begun, 'switchOn') ?? (hasRestarted(machine, begun) ? givenFor(begun, 'restart') : undefined)
  if (given === undefined || machine.power !== 'On') return 'not begun'
  const evidence = machine.firmware?.evidence ?? {}
  // Some show for a moment what was so before.
  if (given >= seconds(10) && hasPassed(evidence, given, shown)) return undefined
  return given >= selfTest
    ? giveUp(begun, `it does not come out of its self test within ${selfTest / minutes(1)} minutes`)
    : pending('it goes through its self test')
}
