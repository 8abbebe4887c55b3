import { evidenceOf } from '../roles/evidence.ts'
import { part, text } from '../transport/read.ts'
import { madeBy, type Quirk } from './quirk.ts'

const applies = madeBy(/^(HPE?|Hewlett)/i)

/** gofish notes it for Manager.Reset of iLO: the action takes no ResetType. */
const bareReset: Quirk = {
  name: 'hpe-bare-manager-reset',
  because: 'iLO refuses Manager.Reset with a ResetType',
  applies,
  habits: { bareManagerReset: true },
}

/** iLO 4 to 6 tell the phase of the self test in their own field and refuse changes during it (UnableToModifyDuringSystemPOST). */
const postState: Quirk = {
  name: 'hpe-post-state',
  because: 'iLO has no BootProgress before version 6 and tells POST in Oem.Hpe.PostState',
  applies,
  habits: {
    evidence(system) {
      const oem = part(system, 'Oem', 'Hpe') ?? part(system, 'Oem', 'Hp')
      const state = text(oem, 'PostState')
      const seen = evidenceOf(system)
      if (state === undefined) return seen
      return { progress: `OEM/${state}`, ...seen, inPost: state === 'InPost' || state === 'InPostDiscoveryComplete' }
    },
  },
}

export const hpe: readonly Quirk[] = [bareReset, postState]
