import { flush, type OfferedStep, type Plan, restart } from './agent-plan.ts'
import type { RaidOrder } from './raid.ts'

/** The manager that every agent has. It makes volumes of the system alone, and says that all went well where it was asked for others. */
const generic = 'GenericHardwareManager'

const takeAway = 'raid.delete_configuration'
const make = 'raid.create_configuration'
const wipe = 'deploy.erase_devices_metadata'

/** What makes these volumes, and no others: whatever is there goes first, with what disks say of themselves where the system makes them. */
export function raidPlan(offered: readonly OfferedStep[], { by, disks }: RaidOrder): Plan {
  const wanted = [takeAway, ...(by === 'system' ? [wipe] : []), ...(disks.length > 0 ? [make] : [])]
  const found = wanted.map(name => ({ name, step: offered.find(step => `${step.interface}.${step.step}` === name) }))
  const missing = found.filter(({ step }) => step === undefined).map(({ name }) => name)
  if (missing.length > 0)
    return { because: `the agent in its ramdisk cannot make RAID volumes: it has no clean step ${missing.join(' and no ')}` }
  if (by === 'controller' && found.some(({ step }) => step?.manager === generic))
    return {
      because:
        'the agent in its ramdisk makes volumes of the system alone: it has no step for RAID controllers, which hardwareRAIDVolumes need',
    }
  // After the last one the machine is switched off anyway.
  const steps = found.flatMap(({ name, step }, n) => (step?.restarts && n < found.length - 1 ? [name, restart] : [name]))
  return { steps: [...steps, ...(found.at(-1)?.step?.restarts ? [] : [flush])] }
}

/** Whether what an agent says after it made volumes tells of any. */
export function tellsOfVolumes(result: unknown): boolean {
  const { clean_result: made } = (result ?? {}) as { readonly clean_result?: { readonly logical_disks?: unknown } | null }
  return Array.isArray(made?.logical_disks) && made.logical_disks.length > 0
}
