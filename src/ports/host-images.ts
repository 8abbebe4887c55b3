import type { JsonObject } from '../core/json.ts'

export type HostImageFormat = 'iso' | 'initrd'

/** What goes into the image of one host. */
export interface HostImageOrder {
  /** Of the PreprovisioningImage: what it is kept under. */
  readonly uid: string
  readonly architecture: string
  readonly format: HostImageFormat
  /** Without its root file system, which is fetched while it boots. */
  readonly minimal: boolean
  readonly ignition: JsonObject
}

/** Where it is read. */
export interface HostImage {
  readonly imageUrl: string
  readonly kernelUrl?: string
  readonly kernelParams?: string
}

/** Images for hosts, made out of one base while they are read. Kept in memory: after a restart it is kept again, and is where it was. */
export interface HostImages {
  /** What can be made for an architecture; nothing where there is no base for it. */
  formats(architecture: string): readonly HostImageFormat[]
  /** Why there is none, where there should be one; it may be put right at any time. */
  lacks(architecture: string): string | undefined
  /**
   * The same order again is nothing new. Throws a Fault where it cannot be made. `isWanted` is asked at each reading: whoever does not act
   * any longer is told by nobody to drop something, and sees only that its object is gone.
   */
  keep(order: HostImageOrder, isWanted?: () => boolean): HostImage
  drop(uid: string): void
}

/** What an image was made of, and for which wish. */
export interface ImageRecord {
  readonly order: HostImageOrder
  /** What its object asks for, and what we add by ourselves: another wish or other settings make another image. */
  readonly wish: string
  readonly settings: string
  /** What of somebody's Ignition stood back behind ours. */
  readonly conflicts: readonly string[]
}

/** What images were made of, for whoever comes after us: a machine may read from one for days, and whoever gave its Ignition may be away. Holds secrets of others. */
export interface ImageRecords {
  /** Undefined where there is none, or none that can be read. */
  load(uid: string): Promise<ImageRecord | undefined>
  save(record: ImageRecord): Promise<void>
  drop(uid: string): Promise<void>
}

/** Reads somebody's Ignition from where an annotation says. What went wrong is said without the query of the address. */
export interface IgnitionConfigs {
  read(
    uri: string,
    signal: AbortSignal,
  ): Promise<{ readonly ignition: JsonObject } | { readonly wrong: string; readonly mayRecover: boolean }>
}

/** Turns a description of a network into files of NetworkManager. */
export interface NetworkConfigs {
  keyfiles(
    nmstate: string,
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly { readonly name: string; readonly content: string }[] } | { readonly wrong: string }>
}

/** Configurations of the assisted agent, served to whoever knows their address. Kept in memory, as images are. */
export interface DiscoveryConfigs {
  /** Where it is read; another content is at another address, and the address before leads to it as well. `isWanted` as with images. */
  keep(uid: string, ignition: JsonObject, isWanted?: () => boolean): string
  drop(uid: string): void
}
