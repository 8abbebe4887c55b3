import type { FirmwareSight } from '../../../ports/provisioner.ts'
import type { FirmwareSchema, HostFirmwareSettings } from '../resources.ts'

export interface Seen {
  readonly wanted: Readonly<Record<string, string | number>>
  readonly deleting: boolean
  readonly status: HostFirmwareSettings['status']
  /** The host of the same name. */
  readonly host: { readonly isWorkedOn: boolean } | undefined
  /** What its machine has; undefined where it was not asked. */
  readonly sight: FirmwareSight | undefined
  /** What its machine says of settings; undefined where it says nothing. */
  readonly schema: SeenSchema | undefined
  /** A list of its components is there already. */
  readonly hasComponents: boolean
}

export interface SeenSchema {
  readonly name: string
  readonly namespace: string
  readonly spec: NonNullable<FirmwareSchema['spec']>
  /** It is there, and says that it belongs to these settings, too. */
  readonly kept: boolean
}

export type Verb =
  | { readonly do: 'keepSchema'; readonly schema: SeenSchema }
  /** Its controller lists components: what becomes of them has an object of its own. */
  | { readonly do: 'makeComponents' }
