import type { FirmwareSight } from '../../../ports/provisioner.ts'
import type { HostFirmwareComponents } from '../resources.ts'

type Update = NonNullable<HostFirmwareComponents['spec']>['updates'][number]

export interface Seen {
  readonly wanted: readonly Update[]
  readonly deleting: boolean
  readonly status: HostFirmwareComponents['status']
  /** The host of the same name: what was written to it, and whether something is being written. */
  readonly host: { readonly isWorkedOn: boolean; readonly written: readonly (Update & { readonly version: string })[] } | undefined
  /** What its machine has; undefined where it was not asked. */
  readonly sight: FirmwareSight | undefined
}
