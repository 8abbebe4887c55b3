import type { jobPrograms } from '../../api/metal/firmware-shapes.ts'
import type { FirmwareImages } from '../../ports/firmware-images.ts'
import type { BmcPool, Clock, Kube } from '../../ports/index.ts'
import type { JobEnvironment } from './environment.ts'

/** Everything that a program can reach. */
export interface ProgramPorts {
  readonly kube: Pick<Kube, 'find' | 'patch'>
  /** BMCs by their names. `system` is where the server is on its own, as far as that is known; `reading` where nothing will be changed. */
  pool(open: { readonly system?: string | undefined; readonly reading: boolean }): BmcPool
  readonly images: FirmwareImages
  readonly clock: Clock
  readonly signal: AbortSignal
  /** One line for whoever reads the log of the Job. */
  say(line: string): void
}

export type ProgramName = (typeof jobPrograms)[number]

/** Ends well, or throws an Exit. Killed anywhere and run again it comes to the same end. */
export type Program = (env: JobEnvironment, ports: ProgramPorts) => Promise<void>
