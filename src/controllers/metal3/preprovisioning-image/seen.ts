import type { Gate } from '../../../policy/host-image/gate.ts'
import type { HostImage, HostImageFormat } from '../../../ports/host-images.ts'

export interface Seen {
  readonly deleting: boolean
  /** Somebody else still holds it. */
  readonly isHeld: boolean
  readonly architecture: string
  /** The first that is accepted and can be made. */
  readonly format: HostImageFormat | undefined
  /** What is wrong with what images for its architecture are made of. */
  readonly lacks: string | undefined
  readonly gate: Gate
  readonly network: Network
  /** Undefined until the gate is open and everything that goes in is there. */
  readonly built: Built | undefined
  readonly host: string
  /** Which sign there is that an assisted service makes it; undefined where there is none. */
  readonly theirs: string | undefined
  /** What its status says already: nothing is told twice. */
  readonly standing: { readonly reason: string; readonly message: string } | undefined
  /** What its status says is what is wanted of it: a machine may run from it. */
  readonly stands: boolean
}

export type Network =
  | { readonly is: 'none' }
  /** The host belongs to an InfraEnv, which describes the network itself. */
  | { readonly is: 'ignored'; readonly name: string }
  | { readonly is: 'missing'; readonly name: string }
  | { readonly is: 'there'; readonly name: string; readonly version: string }

export type Built =
  | { readonly is: 'ready'; readonly image: HostImage; readonly conflicts: readonly string[] }
  | {
      readonly is: 'failed'
      readonly reason: 'ConfigurationError' | 'ImageBuildInvalid' | 'IgnitionUnreadable'
      readonly because: string
      readonly mayRecover: boolean
    }
