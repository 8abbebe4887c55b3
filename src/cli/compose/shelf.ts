import { diskBlobs } from '../../boot/blobs/disk.ts'
import { hotBlobs } from '../../boot/blobs/hot.ts'
import { type Fetcher, openFetcher } from '../../boot/fetcher.ts'
import { Fault } from '../../core/fault.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { CredentialsOf } from '../../oci/credentials.ts'
import { layoutSource } from '../../oci/layout.ts'
import { parseReference } from '../../oci/reference.ts'
import { openRegistries, type RegistrySettings } from '../../oci/registries.ts'
import { type ImageSource, imageResolver } from '../../oci/resolve.ts'
import { verified } from '../../oci/verify.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { ImageResolver } from '../../ports/images.ts'
import type { Clock } from '../../ports/index.ts'

export interface ShelfOptions {
  /** Where verified artefacts are kept. */
  readonly folder: string
  /** Where machines reach the boot server, without a slash at the end. */
  readonly baseUrl: string
  /** OCI layout folders that stand for registries, by the registry's name. */
  readonly layouts?: Readonly<Record<string, string>>
  /** Which registries images may come from, and how they are reached; any, by HTTPS and at public addresses, where it is not said. */
  readonly registries?: RegistrySettings
  /** The short form of it: registries that images may come from. */
  readonly allowed?: readonly string[]
  readonly credentials?: CredentialsOf
  readonly clock?: Clock
}

/** Where images come from, and where what machines boot of them is kept. */
export interface Shelf {
  readonly images: ImageResolver
  readonly artifacts: Fetcher
  readonly blobs: Blobs
  close(): Promise<void>
}

export function openShelf(options: ShelfOptions): Shelf {
  const { folder, baseUrl, layouts = {}, allowed, credentials, clock = wallClock } = options
  const folders = new Map<string, ImageSource>(Object.entries(layouts).map(([name, where]) => [name, layoutSource(where)]))
  const registries = openRegistries(
    { ...options.registries, ...(allowed ? { allowed } : {}) },
    { clock, ...(credentials ? { credentials } : {}) },
  )
  const sourceFor = (registry: string): ImageSource | undefined => folders.get(registry) ?? registries.sourceFor(registry)
  const blobs = hotBlobs(diskBlobs(folder, verified), clock)
  return {
    images: imageResolver(sourceFor),
    blobs,
    artifacts: openFetcher({ blobs, baseUrl, open: (reference, digest) => blobOf(sourceFor, reference, digest) }),
    close() {
      blobs.close()
      return registries.close()
    },
  }
}

function blobOf(sourceFor: (registry: string) => ImageSource | undefined, reference: string, digest: string): AsyncIterable<Uint8Array> {
  const { registry, repository } = parseReference(reference)
  const source = sourceFor(registry)
  if (!source)
    throw new Fault('image/registry-refused', `Cannot fetch "${reference}": ${registry} is not an allowed registry`, 'when-changed')
  return source.blob(repository, digest)
}
