/** A step that an agent offers. */
export interface OfferedStep {
  readonly step: string
  readonly interface: string
  readonly priority: number
  readonly restarts: boolean
  /** Which of the agent's hardware managers has it. */
  readonly manager?: string
}

/** What wants a step that is not offered, or one that cannot be done here. */
export type Plan = { readonly steps: readonly string[] } | { readonly because: string }

/** The priority of what installs the host, as in Ironic: steps of the agent's own come before and after it by theirs. */
const installs = 80
/** After the image, an entry for it in the firmware's list. */
const boots = 60

export const flush = 'standby.sync'
/** Stands in a plan where the machine is restarted, and its ramdisk booted once more. */
export const restart = 'restart'

/** Highest first; of the same, in the order in which they were offered. */
const inOrder = (steps: readonly OfferedStep[]): readonly string[] =>
  steps.toSorted((a, b) => b.priority - a.priority).map(({ interface: part, step }) => `${part}.${step}`)

const restarting = (steps: readonly OfferedStep[]): string | undefined => {
  const found = steps.find(({ restarts }) => restarts)
  return found && `the agent's step ${found.interface}.${found.step} wants a restart in the middle, which this engine does not do`
}

/** What installs a host: every step that the agent does by itself, and in its place the one that was asked for. */
export function deployPlan(offered: readonly OfferedStep[], wanted: { readonly step: string; readonly bootloader: boolean }): Plan {
  const known = offered.find(({ step }) => step === wanted.step)
  if (!known) {
    const names = offered.map(({ step }) => step).join(', ')
    return { because: `the agent has no deploy step ${wanted.step}; it has ${names === '' ? 'none' : names}` }
  }
  const own = offered.filter(({ priority, step }) => priority > 0 && step !== wanted.step)
  const bootloader: OfferedStep = { step: 'install_bootloader', interface: 'image', priority: boots, restarts: false }
  const all = [{ ...known, priority: installs }, ...own, ...(wanted.bootloader ? [bootloader] : [])]
  const because = restarting(all)
  return because === undefined ? { steps: [...inOrder(all), flush] } : { because }
}

/** Writing over whole disks takes days and is never asked for by a host: what its disks say of themselves is. */
const wholeDisks = ['erase_devices', 'erase_devices_express']
const metadata = 'erase_devices_metadata'

/** What makes a host's disks look empty, with whatever its makers want done besides. */
export function cleanPlan(offered: readonly OfferedStep[]): Plan {
  const all = offered.filter(({ step, priority }) => step === metadata || (priority > 0 && !wholeDisks.includes(step)))
  if (!all.some(({ step }) => step === metadata)) return { because: `the agent has no clean step ${metadata}` }
  const because = restarting(all)
  return because === undefined ? { steps: [...inOrder(all), flush] } : { because }
}
