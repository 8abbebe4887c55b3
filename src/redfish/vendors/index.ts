import { ami } from './ami.ts'
import { dell } from './dell.ts'
import { hpe } from './hpe.ts'
import { lenovo } from './lenovo.ts'
import { openbmc } from './openbmc.ts'
import type { Quirk } from './quirk.ts'
import { supermicro } from './supermicro.ts'

/** All that is known, in the order in which it is applied. */
export const quirks: readonly Quirk[] = [...dell, ...hpe, ...lenovo, ...supermicro, ...ami, ...openbmc]
export type { Quirk } from './quirk.ts'
