import type { Identity } from '../../ports/bmc.ts'
import { madeBy, type Quirk } from './quirk.ts'

const maker = madeBy(/^(AMI\b|American Megatrends|GIGA-?BYTE|ASRock|Giga Computing)/i)
/** MegaRAC also runs inside NVIDIA's DGX, where the service root still says AMI. */
const applies = (to: Identity): boolean => maker(to) || /megarac/i.test(to.bmcModel ?? '')

/** metal-operator issue 188 and the DGX H100 tree: the settings object takes a change only with all three fields, and shows the mode as null. */
const fullTriple: Quirk = {
  name: 'ami-full-triple',
  because: 'a change of the override without target, duration and mode together is refused or half applied',
  applies,
  habits: { bootMode: 'always' },
}

export const ami: readonly Quirk[] = [fullTriple]
