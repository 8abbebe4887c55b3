import type { Happening } from '../../../core/plan.ts'
import type { MachineSpec } from '../../../policy/boot-images/platforms/platform.ts'
import type { Seen, SeenMachine } from './seen.ts'

export type Verb =
  /** One patch with everything that differs, if the resource is still as it was seen. */
  | {
      readonly do: 'patchMachine'
      readonly revision: string
      readonly spec?: MachineSpec
      readonly secret?: string
      readonly template?: string
    }
  | { readonly do: 'cloneTemplate'; readonly name: string; readonly from: SeenTemplate; readonly spec: MachineSpec }
  | { readonly do: 'liftStub'; readonly secret: string; readonly userData: string }
  | { readonly do: 'collectTemplate'; readonly name: string; readonly of: SeenTemplate }

export type SeenTemplate = NonNullable<SeenMachine['template']>

type Decision = NonNullable<Seen['history']['sync']>['decision']

/** What a look came to: the rest of the status follows from it. */
export interface Outcome {
  readonly decision: Decision
  readonly reason: string
  readonly because: string
  readonly image?: string | undefined
  readonly target?: string
  readonly release?: string
  readonly written?: number
  readonly actions?: readonly Verb[]
  readonly event?: Happening
  readonly canary?: 'Trying' | 'Proven' | 'Failed'
}
