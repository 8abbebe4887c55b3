import { ami } from './ami.ts'
import { dell } from './dell.ts'
import { generic } from './generic.ts'
import { hpe } from './hpe.ts'
import { lenovo } from './lenovo.ts'
import { openbmc } from './openbmc.ts'
import type { Personality } from './personality.ts'
import { supermicro } from './supermicro.ts'

export type { Personality } from './personality.ts'

/** The makes of server that can be simulated. */
export const personalities: readonly Personality[] = [dell, hpe, lenovo, supermicro, openbmc, ami, generic]
