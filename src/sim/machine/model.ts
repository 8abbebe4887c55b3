import type { Millis } from '../../core/duration.ts'
import type { BiosValue } from '../../ports/bmc.ts'
import type { BootKind } from './world.ts'

export interface BootEntry {
  readonly reference: string
  readonly name: string
  readonly kind: BootKind
  readonly path?: string
}

export interface Times {
  readonly powerOn: Millis
  readonly powerOff: Millis
  /** An operating system that shuts down by itself. */
  readonly graceful: Millis
  readonly post: Millis
  /** Loading and starting an operating system. */
  readonly osStart: Millis
  readonly install: Millis
  /** The BMC itself, silent while it restarts. */
  readonly bmcRestart: Millis
  readonly update: Millis
}

export interface FirmwarePart {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly kind: 'BIOS' | 'BMC' | 'NIC' | 'Drive'
  readonly manufacturer?: string
}

/** What all machines of one make have in common; shared, frozen. */
export interface MachineModel {
  readonly times: Times
  readonly bootEntries: readonly BootEntry[]
  readonly bootOrder: readonly string[]
  readonly bios: Readonly<Record<string, BiosValue>>
  readonly firmware: readonly FirmwarePart[]
  /** HTTP boot works only with this setting (Supermicro: IPv4HTTPSupport). */
  readonly httpNeeds?: { readonly attribute: string; readonly value: BiosValue }
  /** Which override target reaches virtual media, where it is not `Cd` (Supermicro: UsbCd). */
  readonly cdTarget?: string
  /** Where the boot URI is a BIOS setting instead of HttpBootUri. */
  readonly httpUriAttribute?: string
}
