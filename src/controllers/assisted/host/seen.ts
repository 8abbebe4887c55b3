import type { StampedCondition } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import type { AgentPatch } from '../../../policy/assisted/agent-wish.ts'
import type { Flow } from '../../../policy/assisted/flow.ts'
import type { AgentProgress } from '../../../policy/assisted/progress.ts'

export interface Seen {
  readonly host: SeenHost
  readonly flow: Flow
  /** Undefined where there is none of that name, or it is being deleted. */
  readonly infraEnv: SeenInfraEnv | undefined
  readonly image: SeenImage | undefined
  readonly agent: SeenAgent | undefined
  /** Which sign of an assisted service at work there is; undefined where there is none, or it is taken over. */
  readonly held: string | undefined
  /** Mebibytes that a machine must have for two agents. */
  readonly leastMemory: number
}

export interface SeenHost {
  /** The InfraEnv that it is linked to; undefined where it is not. */
  readonly linked: string | undefined
  readonly deleting: boolean
  /** What its annotation says; undefined where it is not detached. */
  readonly detachedBy: string | undefined
  readonly state: string
  readonly method: string | undefined
  readonly image: { readonly url: string; readonly format?: string } | undefined
  readonly online: boolean
  readonly cleaning: string
  readonly inspectAnnotation: string | undefined
  readonly inspectionMode: string | undefined
  readonly external: boolean
  readonly memory: number | undefined
  /** A ramdisk is in use: its image must not change under it. */
  readonly booted: boolean
  readonly failed: string | undefined
  /** Why it is not tried any more: until something else is wanted of it. */
  readonly givenUp: string | undefined
  /** Its controller still counts failures of what was wanted before. */
  readonly remembers: boolean
  readonly standing: StampedCondition | undefined
}

export interface SeenInfraEnv {
  readonly name: string
  /** Where the configuration of the assisted agent is. */
  readonly ignition: string | undefined
  readonly iso: string | undefined
  readonly created: Instant | undefined
  /** Why it has neither, in its own words. */
  readonly because: string | undefined
}

export interface Mark {
  readonly name: string
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

export interface SeenImage extends Mark {
  readonly override: string | undefined
  /** There is something to boot from: a machine may run from it. */
  readonly isBuilt: boolean
}

export interface SeenAgent extends Mark, AgentProgress {
  readonly unbinding: boolean
  /** What it lacks of what its host says; undefined where nothing is missing. */
  readonly lacks: AgentPatch | undefined
  readonly wrong: string | undefined
}

export type Verb =
  /** One patch of the host. */
  | { readonly do: 'change'; readonly merge: object }
  | { readonly do: 'point'; readonly image: Mark; readonly uri: string }
  | { readonly do: 'tell'; readonly agent: Mark; readonly patch: AgentPatch }
