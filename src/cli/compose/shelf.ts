import { diskBlobs } from '../../boot/blobs/disk.ts'
import { openFetcher } from '../../boot/fetcher.ts'
import { Fault } from '../../core/fault.ts'
import { httpTransport } from '../../net/client.ts'
import { layoutSource } from '../../oci/layout.ts'
import { parseReference } from '../../oci/reference.ts'
import { registrySource } from '../../oci/registry.ts'
import { type ImageSource, imageResolver } from '../../oci/resolve.ts'
import { verified } from '../../oci/verify.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { BootArtifacts } from '../../ports/boot-artifacts.ts'
import type { ImageResolver } from '../../ports/images.ts'

export interface ShelfOptions {
  /** Where verified artefacts are kept. */
  readonly folder: string
  /** Where machines reach the boot server, without a slash at the end. */
  readonly baseUrl: string
  /** OCI layout folders that stand for registries, by the registry's name. */
  readonly layouts?: Readonly<Record<string, string>>
  /** Registries that images may come from; any where it is not said. */
  readonly allowed?: readonly string[]
}

/** Where images come from, and where what machines boot of them is kept. */
export interface Shelf {
  readonly images: ImageResolver
  readonly artifacts: BootArtifacts
  readonly blobs: Blobs
  close(): Promise<void>
}

export function openShelf({ folder, baseUrl, layouts = {}, allowed }: ShelfOptions): Shelf {
  const open: (() => Promise<void>)[] = []
  const known = new Map<string, ImageSource>(Object.entries(layouts).map(([name, where]) => [name, layoutSource(where)]))
  const sourceFor = (registry: string): ImageSource | undefined => {
    const before = known.get(registry)
    if (before) return before
    if (allowed && !allowed.includes(registry)) return undefined
    const source = remote(registry, open)
    known.set(registry, source)
    return source
  }
  const blobs = diskBlobs(folder, verified)
  return {
    images: imageResolver(sourceFor),
    blobs,
    artifacts: openFetcher({ blobs, baseUrl, open: (reference, digest) => blobOf(sourceFor, reference, digest) }),
    async close() {
      for (const end of open) await end()
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

/** Registries on this machine are spoken to without TLS, as every container tool does; all others with it. */
function remote(registry: string, open: (() => Promise<void>)[]): ImageSource {
  const carry = (origin: string) => {
    const transport = httpTransport({ baseUrl: origin, wholeUpTo: 4 << 20 })
    open.push(() => transport.close())
    return transport
  }
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry
  const local = /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(registry)
  return registrySource({
    name: registry,
    transport: carry(`${local ? 'http' : 'https'}://${host}`),
    tokenTransport: realm => (realm.protocol === 'https:' || local ? carry(realm.origin) : undefined),
  })
}
