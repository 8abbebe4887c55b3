import { clusterCommands } from './cluster.ts'
import type { CommandLine } from './command.ts'
import { dailyCommands } from './daily.ts'
import { firmwareCommands } from './firmware.ts'
import { hardwareCommands } from './hardware.ts'
import { imageCommands } from './images.ts'
import { serviceCommands } from './service.ts'
import { stateCommands } from './state.ts'

/** Every command, in the order of the help. */
export const catalogue: readonly CommandLine[] = [
  ...serviceCommands,
  ...dailyCommands,
  ...hardwareCommands,
  ...firmwareCommands,
  ...imageCommands,
  ...clusterCommands,
  ...stateCommands,
]
