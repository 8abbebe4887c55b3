import type { ArtifactRole } from '../policy/boot/method.ts'

/** One file of an image that a machine can boot from. */
export interface Artifact {
  readonly role: ArtifactRole
  readonly digest: string
  readonly bytes: number
}

/** What an image holds for one architecture, pinned: the digest stays, whatever becomes of the tag. */
export interface ImageFacts {
  readonly reference: string
  readonly digest: string
  readonly architecture: string
  readonly architectures: readonly string[]
  readonly artifacts: readonly Artifact[]
}

export interface ImageResolver {
  /** Faults: `image/…`; `when-changed` where only a new image or setting helps, `backoff` where the registry may come back. */
  inspect(reference: string, architecture: string, signal?: AbortSignal): Promise<ImageFacts>
}
