import type { Millis } from '../../../core/duration.ts'
import type { MediaWish } from '../../../policy/metal3/data-image.ts'
import type { HostOrder, MediaSight } from '../../../ports/provisioner.ts'
import type { DataImage } from '../resources.ts'

type Begun = NonNullable<NonNullable<DataImage['status']>['begun']>

export interface Seen {
  readonly image: SeenImage
  /** The host of the same name. */
  readonly host: SeenHost | undefined
  /** Something has to be put in or taken out, and this is the moment for it. */
  readonly window: boolean
  /** Also while the machine runs. */
  readonly anytime: boolean
  /** Somebody wants it changed at once, however often that takes. */
  readonly immediate: boolean
  /** What is to be in a drive; undefined where nothing is. */
  readonly wanted: string | undefined
  /** What its management controller shows; undefined where it was not asked. */
  readonly sight: MediaSight | undefined
  /** What lies at the address; undefined where nobody looked. */
  readonly disc: 'iso' | 'other' | 'unknown' | undefined
  /** What was said last in this process; undefined where it has just started. */
  readonly said: string | undefined
  /** Why the last call to the management controller failed, where it did. */
  readonly lastFailed: { readonly do: string; readonly message: string } | undefined
}

export interface SeenImage extends Omit<MediaWish, 'begun' | 'url'> {
  readonly url: string
  readonly name: string
  readonly owned: boolean
  readonly problem: string | undefined
  readonly begun: Begun | undefined
  /** For how long what was begun has been given. */
  readonly givenFor: Millis
  readonly drive: string | undefined
  readonly controller: string | undefined
  readonly failures: number
  /** How long nothing is tried yet after a failure. */
  readonly rest: Millis
}

export interface SeenHost {
  readonly uid: string
  readonly revision: string | undefined
  readonly order: HostOrder | undefined
  readonly phase: string
  /** Provisioned or externally provisioned, and not on its way out. */
  readonly steady: boolean
  /** Why its machine is not ours to touch; undefined where it is. */
  readonly refused: string | undefined
  readonly paused: boolean
  readonly detached: boolean
  readonly poweredOn: boolean
}

export type Verb =
  | { readonly do: 'own'; readonly uid: string }
  | { readonly do: 'hold' }
  | { readonly do: 'letGo' }
  /** Reach the machine. */
  | { readonly do: 'insert'; readonly order: HostOrder; readonly drive: string; readonly url: string }
  | { readonly do: 'eject'; readonly order: HostOrder; readonly drive: string }
