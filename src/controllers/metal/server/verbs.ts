import type { Plan, Release } from '../../../core/plan.ts'
import type { BootMethod } from '../../../policy/boot/method.ts'
import type { Artifact } from '../../../ports/images.ts'
import type { Led } from './seen.ts'

/** What is written or done for a server. The first four reach its hardware. */
export type Verb =
  /** Tells the machine what to boot next, once; with an address where firmware fetches it. */
  | {
      readonly do: 'arm'
      readonly target: BootMethod['target']
      readonly fetches?: { readonly artifact: Artifact; readonly image: string }
      /** Where somebody else's boot server has it. */
      readonly address?: string
    }
  | { readonly do: 'disarm' }
  /** Puts the disc of the noted boot into a virtual drive, and takes it out. */
  | { readonly do: 'insert'; readonly slot: string; readonly image: string }
  | { readonly do: 'eject'; readonly slot: string }
  | { readonly do: 'switchOn' }
  | { readonly do: 'switchOff'; readonly how: 'graceful' | 'forced' }
  | { readonly do: 'createConfiguration' }
  | { readonly do: 'deleteConfiguration'; readonly uid: string }
  /** Says on the configuration that its first boot is done. */
  | { readonly do: 'markProvisioned'; readonly namespace: string; readonly name: string; readonly uid: string; readonly revision: string }
  /** Takes the claim's name off the server: only now can it be somebody else's. */
  | { readonly do: 'letGo'; readonly takesOperation?: true }
  /** The same for a maintenance, and what it let the server boot. */
  | { readonly do: 'endMaintenance' }
  /** Sets its locator light. */
  | { readonly do: 'light'; readonly shows: Led }
  | { readonly do: 'setBootOrder'; readonly order: readonly string[] }
  /** Says, so that it lasts, that the server is set aside; and takes that back. Both take the operation away. */
  | { readonly do: 'park' }
  | { readonly do: 'unpark' }
  /** Takes away the annotation that asked for something, as it is being done. */
  | { readonly do: 'takeOperation' }
  | Release

/** The same plan, and then this as well. */
export const also = (plan: Plan<Verb>, verb: Verb): Plan<Verb> => ({ ...plan, actions: [...plan.actions, verb] })
