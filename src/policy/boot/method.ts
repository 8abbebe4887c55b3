/** What an image may hold for booting. */
export type ArtifactRole = 'kernel' | 'initramfs' | 'squashfs' | 'uki' | 'iso'

/** One way to boot: what the BMC is told, and what the image must hold for it. */
export interface BootMethod {
  readonly name: 'Pxe' | 'UefiHttp' | 'VirtualMedia' | 'Hdd'
  /** The Redfish override target. */
  readonly target: 'Pxe' | 'UefiHttp' | 'Cd' | 'Hdd'
  /** True where the machine fetches its system from us: it needs a ticket, and an image. */
  readonly fetches: boolean
  /** Alternatives, best first; every role of one of them must be there. */
  readonly needs: readonly (readonly ArtifactRole[])[]
}
