import { type Millis, minutes } from '../../core/duration.ts'
import type { HardwareInventory } from '../../ports/bmc.ts'
import type { Clock, Log } from '../../ports/index.ts'
import type { AgentAt } from '../../ports/ironic-agent.ts'

/** An agent beats three to six times within this. */
export const heartbeatTimeout: Millis = minutes(2)

/** A host whose ramdisk was booted by us, and whose agent may therefore call. */
export interface Expected {
  readonly uid: string
  readonly attempt: number
  /** Lower case. */
  readonly macs: readonly string[]
  /** Network addresses of its interfaces, as far as somebody has found them before. */
  readonly addresses?: readonly string[]
  /** What its agent is told of it. */
  readonly node: object
  /** Its image has no better checksum than MD5. */
  readonly takesMd5: boolean
  /** What it is told where it boots over the network, and the UUID by which it asks. */
  readonly network?: { readonly uuid: string; readonly kernel: string; readonly initramfs: string; readonly arguments: string }
}

/** What was heard in one try. */
export interface Heard {
  /** For how long this process has listened for it: an agent that called before may need that long to call again. */
  readonly listening: Millis
  readonly agent?: AgentAt & { readonly silentFor: Millis }
  readonly inventory?: HardwareInventory
}

/** One host's place at the desk. */
export interface Place {
  expected: Expected
  readonly token: string
  readonly since: Millis
  /** From where its agent calls: the first in a try, and nobody else after it. */
  address?: string
  called?: { readonly url: string; readonly ca: string; at: Millis }
  inventory?: HardwareInventory
}

/** What the routes of the desk work with. */
export interface DeskContext {
  readonly clock: Clock
  readonly log: Log
  /** Those who are expected, by the UID of their host. */
  readonly places: ReadonlyMap<string, Place>
  /** The one host that has any of these addresses; none where two have. */
  byMacs(macs: readonly string[]): Place | undefined
}
