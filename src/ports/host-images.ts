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

/** Images for hosts, made out of one base while they are read. Kept in memory: after a restart whoever wants one brings it again, and it is where it was. */
export interface HostImages {
  /** What can be made for an architecture; nothing where there is no base for it. */
  formats(architecture: string): readonly HostImageFormat[]
  /** The same order again is nothing new. Throws a Fault where it cannot be made. */
  keep(order: HostImageOrder): HostImage
  drop(uid: string): void
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
  /** Where it is read; another content is at another address, and the address before leads to it as well. */
  keep(uid: string, ignition: JsonObject): string
  drop(uid: string): void
}
