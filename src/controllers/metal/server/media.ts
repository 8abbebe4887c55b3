import { isFalse } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import type { MachineThere, Seen } from './seen.ts'
import { nowAndThen } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Which drive a disc can be put into: one for discs, and empty. Where there is none, in words why not. */
export function freeSlot({ media }: MachineThere): { readonly slot: string } | { readonly because: string } {
  if (!media) return { because: 'its BMC has no virtual media' }
  const discs = media.filter(({ disc }) => disc)
  if (discs.length === 0) return { because: 'its BMC has no virtual drive for discs' }
  const free = discs.find(({ inserted }) => !inserted)
  return free
    ? { slot: free.id }
    : { because: `every virtual drive has a disc in it that was not put there for this: ${discs.map(({ id }) => id).join(', ')}` }
}

/** Whether the disc of this boot is in the drive that was noted, as was read back. */
export const isInserted = ({ media }: MachineThere, slot: string | undefined): boolean =>
  slot !== undefined && media?.some(({ id, ours }) => id === slot && ours) === true

/** Whether something is in that drive, and its BMC does not say what. */
export const isUnnamed = ({ media }: MachineThere, slot: string | undefined): boolean =>
  media?.some(({ id, inserted, shown }) => id === slot && inserted && !shown) === true

/** Ends of a boot after which what it booted from its disc may still run, and read from it. */
const mayRun: readonly (string | undefined)[] = ['SwitchedOff', 'Superseded', 'Voided']

/**
 * A boot that is over leaves no disc behind: whatever else there is to do, it is taken out first, and forgotten only when it was read to be
 * out. A system that runs from it is switched off before.
 */
export function ejects({ boot, machine }: Pick<Seen, 'boot' | 'machine'>): Plan<Verb> | undefined {
  if (machine.is === 'there' && machine.power !== 'Off' && mayRun.includes(boot?.outcome)) return undefined
  return takenOut({ boot, machine })
}

/** The same whatever runs: for a server that goes and is switched off by nobody. */
export function takenOut({ boot, machine }: Pick<Seen, 'boot' | 'machine'>): Plan<Verb> | undefined {
  const slot = boot?.slot
  if (slot === undefined || boot?.step !== 'Ended' || machine.is !== 'there') return undefined
  const held = machine.media?.find(({ id }) => id === slot)
  if (held?.inserted) return act('the disc of its last boot is taken out', [{ do: 'eject', slot }], { again: 5_000 })
  return wait('the disc of its last boot is out', 0, { status: { boot: { slot: null } } })
}

export const noDrive = (because: string): Plan<Verb> =>
  wait(because, nowAndThen, { status: { conditions: [isFalse('BootOverrideHonoured', 'NoVirtualDrive', because)] } })
