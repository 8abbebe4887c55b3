import { createHash } from 'node:crypto'
import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { ImageFacts, ImageResolver } from '../ports/images.ts'
import { architecturesOf, artifactsOf, type Descriptor, manifestFor, readDocument } from './manifest.ts'
import { ociArchitecture } from './media-types.ts'
import { parseReference, printReference, type Reference } from './reference.ts'
import { checkDigest, verified } from './verify.ts'

/** Where images come from: a registry, or a folder that stands for one. */
export interface ImageSource {
  /** The index or manifest under a tag or digest, as bytes; at most a few MiB. */
  document(repository: string, tagOrDigest: string, signal?: AbortSignal): Promise<Uint8Array>
  blob(repository: string, digest: string, signal?: AbortSignal): AsyncIterable<Uint8Array>
}

const largestDocument = 4 << 20
const depth = 3

/** Tag → digest → manifest of the architecture → artefacts. A tag is looked up once; from then on the digest counts. */
export function imageResolver(sourceFor: (registry: string) => ImageSource | undefined): ImageResolver {
  return {
    async inspect(reference, architecture, signal) {
      const parsed = parseReference(reference)
      const source = sourceFor(parsed.registry)
      if (!source)
        throw new Fault(
          'image/registry-refused',
          `Cannot use "${reference}": ${parsed.registry} is not an allowed registry`,
          'when-changed',
        )
      return walk(source, parsed, reference, architecture, signal)
    },
  }
}

async function walk(
  source: ImageSource,
  parsed: Reference,
  reference: string,
  architecture: string,
  signal: AbortSignal | undefined,
): Promise<ImageFacts> {
  const wanted = ociArchitecture(architecture)
  let name = parsed.digest ?? parsed.tag ?? 'latest'
  let size: number | undefined
  let architectures: readonly string[] = []
  for (let step = 0; step < depth; step += 1) {
    const bytes = await source.document(parsed.repository, name, signal)
    if (bytes.length > largestDocument)
      throw new Fault('image/malformed', `Cannot read "${reference}": its manifest is larger than 4 MiB`, 'when-changed')
    const digest = name.startsWith('sha256:') ? name : `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    checkDigest(bytes, digest, size)
    const document = readDocument(parse(bytes, reference))
    if (document.is === 'manifest') {
      // Without an index, the image's own configuration may say what it is made for.
      const made = architectures.length > 0 ? undefined : await architectureIn(source, parsed.repository, document.config, signal)
      if (made !== undefined && made !== wanted) throw otherArchitecture(reference, architecture, [made])
      return {
        reference: printReference(parsed),
        digest,
        architecture,
        architectures: architectures.length > 0 ? architectures : [architecture],
        artifacts: artifactsOf(document.layers),
      }
    }
    architectures = architecturesOf(document.manifests)
    const next = manifestFor(document.manifests, wanted)
    if (!next) throw otherArchitecture(reference, architecture, architectures)
    name = next.digest
    size = next.size
  }
  throw new Fault('image/malformed', `Cannot read "${reference}": its indexes lead on and on`, 'when-changed')
}

const otherArchitecture = (reference: string, architecture: string, made: readonly string[]): Fault =>
  new Fault(
    'image/no-architecture',
    `Cannot boot "${reference}" on ${architecture}: it is made for ${made.join(', ') || 'no architecture that it names'}`,
    'when-changed',
  )

const configTypes = ['application/vnd.oci.image.config.v1+json', 'application/vnd.docker.container.image.v1+json']
const largestConfig = 1 << 20

async function architectureIn(
  source: ImageSource,
  repository: string,
  config: Descriptor | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!config || !configTypes.includes(config.mediaType) || config.size > largestConfig) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of verified(source.blob(repository, config.digest, signal), config.digest, config.size)) chunks.push(chunk)
  const json = parse(Buffer.concat(chunks), repository)
  const architecture = isObject(json) ? json['architecture'] : undefined
  return typeof architecture === 'string' && architecture !== '' ? architecture : undefined
}

function parse(bytes: Uint8Array, reference: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (cause) {
    throw new Fault('image/malformed', `Cannot read "${reference}": its manifest is not JSON`, 'when-changed', { cause })
  }
}
