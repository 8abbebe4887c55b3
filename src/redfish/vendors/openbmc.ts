import type { Identity } from '../../ports/bmc.ts'
import type { Quirk } from './quirk.ts'

const applies = (to: Identity): boolean => /openbmc/i.test(`${to.bmcMaker ?? ''} ${to.bmcModel ?? ''}`)

/** bmcweb lists the slots of its browser console, too; they have no InsertMedia and take no change either. */
const consoleSlots: Quirk = {
  name: 'openbmc-console-slots',
  because: 'slots without InsertMedia belong to the browser console',
  applies,
  habits: { slotsByChange: false },
}

/** bmcweb names a task's monitor as the task's path with /Monitor behind; the monitor can be read to its end only once. */
const monitors: Quirk = {
  name: 'openbmc-task-monitor',
  because: 'Location ends in /Monitor, which forgets a finished task; the task itself stays',
  applies,
  wrap(bmc) {
    const { firmware } = bmc
    if (!firmware) return bmc
    return { ...bmc, firmware: { ...firmware, task: (address, signal) => firmware.task(address.replace(/\/Monitor\/?$/i, ''), signal) } }
  },
}

/** Measured on the OpenBMC list in 2018: 50 at once answered in 159 ms on a dual Cortex-A9; NVIDIA's manager asks four at once. */
const fourAtOnce: Quirk = {
  name: 'openbmc-four-at-once',
  because: 'bmcweb answers requests side by side; one after the other would only be slower',
  applies,
  habits: { inFlight: 4 },
}

export const openbmc: readonly Quirk[] = [fourAtOnce, consoleSlots, monitors]
