import type { Instant } from '../core/duration.ts'
import type { Artifact, ImageFacts } from './images.ts'

/** How far the artefacts of an image are on their way to the boot server's cache. */
export type FetchState =
  | { readonly is: 'ready' }
  | { readonly is: 'fetching'; readonly bytes: number; readonly of: number }
  | { readonly is: 'failed'; readonly code: string; readonly because: string; readonly mayRecover: boolean }

/** The boot server's shelf, as controllers see it. */
export interface BootArtifacts {
  /** Sees to it that these are there, verified; answers at once how far it is. Asking again after a failure tries again. */
  ensure(image: Pick<ImageFacts, 'reference'>, artifacts: readonly Artifact[]): FetchState
  /** Whether all of these are there already, without asking for any. */
  has(artifacts: readonly Artifact[]): boolean
  /** Where an artefact is served, without a ticket: good for reading in status, not for booting. */
  address(artifact: Artifact, image: string): string
}

/** One noted boot, as far as a ticket names it (see `Server.status.boot`). */
export interface BootAttempt {
  readonly serverUID: string
  readonly configurationUID: string
  readonly generation: number
  readonly attempt: number
  readonly expires: Instant
}

/** Addresses that carry a ticket: given to a BMC, never written down in a status, an event or a log. */
export interface BootTickets {
  /** What firmware fetches for this boot. The same attempt gives the same text, so that a read-back can be compared with it. */
  bootUri(attempt: BootAttempt, artifact: Artifact, image: string): string
  /** What a BMC mounts as a disc for this boot: the image's ISO, or its UKI made into one. What was served of it counts as that artefact. */
  mediaUri(attempt: BootAttempt, image: string): string
}
