import type { BmcPool } from '../../ports/bmc.ts'
import type { ControllerKube } from '../../ports/index.ts'

export interface FirmwareSettings {
  /** Where Jobs run unless a JobRunner says otherwise, and where maintenances of sets are. */
  readonly namespace: string
  /** The image of this very program: what is run where no JobRunner is for an object. Left out: nothing is. */
  readonly jobImage?: string | undefined
  /** The JobRunner that is taken where no other matches. */
  readonly defaultRunner?: string | undefined
  /** How many Jobs may be under way at once. */
  readonly maxJobs?: number
}

export const defaultMaxJobs = 64

export interface FirmwarePorts extends FirmwareSettings {
  readonly kube: ControllerKube
  /** Keyed by the BMC's name. Only ever read here: jobs do the work. */
  readonly pool: BmcPool
}
