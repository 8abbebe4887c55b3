import type { JsonObject } from '../../core/json.ts'
import type { Personality } from '../personalities/personality.ts'
import type { SimBmc } from './bmc.ts'
import type { Call } from './call.ts'
import type { Links } from './links.ts'

export interface Outcome {
  readonly status: number
  readonly body?: JsonObject
  readonly headers?: Readonly<Record<string, string>>
}

/** One resource of a tree that all BMCs of a make share: what differs between them is read from the BMC. */
export interface Node {
  read?(bmc: SimBmc): JsonObject
  /** Answers without authentication. */
  readonly open?: true
  /** Looking has an effect (task monitors). */
  look?(bmc: SimBmc, call: Call): Outcome
  patch?(bmc: SimBmc, call: Call): Outcome
  post?(bmc: SimBmc, call: Call): Outcome | Promise<Outcome>
  remove?(bmc: SimBmc, call: Call): Outcome
  /** An action: POST only, and not for If-Match. */
  readonly action?: true
}

/** Resources that come and go: sessions, tasks, subscriptions. */
export type Family = (bmc: SimBmc, id: string) => Node | undefined

/** What resources are built from. */
export interface Kit {
  readonly make: Personality
  readonly at: Links
  node(path: string, node: Node): void
  /** Wraps what stands at a path already. */
  change(path: string, wrap: (node: Node) => Node): void
  /** `pattern` has a star where the id stands. */
  family(pattern: string, family: Family): void
}

export type Extra = (kit: Kit) => void

export const done: Outcome = { status: 204 }
export const ok = (body: JsonObject): Outcome => ({ status: 200, body })
