import type { Fault } from '../../../core/fault.ts'

export interface Seen {
  readonly deleting: boolean
  /** We serve something for it. */
  readonly isHeld: boolean
  /** Which sign there is that an assisted service renders it itself. */
  readonly theirs: string | undefined
  readonly rendered: Rendered | undefined
  /** What its status says now. */
  readonly standing: { readonly ignition: string | undefined; readonly created: string | undefined }
  /** Fields that are asked for and that nobody here follows. */
  readonly unused: readonly string[]
  /** It names a Secret. */
  readonly hasSecret: boolean
}

export type Rendered =
  | {
      readonly is: 'ready'
      readonly ignition: string
      readonly iso: string | undefined
      readonly network: { readonly initrd: string; readonly kernel: string | undefined; readonly rootfs: string | undefined } | undefined
      /** Why there is no disc, where there is none. */
      readonly without: Fault | undefined
    }
  | { readonly is: 'failed'; readonly reason: string; readonly because: string }

export type Verb = { readonly do: 'hold' } | { readonly do: 'drop' }
