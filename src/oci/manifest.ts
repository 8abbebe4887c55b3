import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { Artifact } from '../ports/images.ts'
import { roleOf } from './media-types.ts'

export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly architecture?: string
  readonly annotations: Readonly<Record<string, string>>
}

const longestList = 1_000
/** Larger than any disc that machines boot from; whoever names more means to fill the disk of the boot server. */
const largestLayer = 16 * 1024 ** 3
const sha256 = /^sha256:[0-9a-f]{64}$/
const indexTypes = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json']

/** Reads an index or a manifest that a registry sent: hostile until shown otherwise. */
export function readDocument(
  json: unknown,
):
  | { readonly is: 'index'; readonly manifests: readonly Descriptor[] }
  | { readonly is: 'manifest'; readonly layers: readonly Descriptor[]; readonly config?: Descriptor } {
  if (!isObject(json)) throw malformed('it is not an object')
  if (indexTypes.includes(String(json['mediaType'])) || Array.isArray(json['manifests']))
    return { is: 'index', manifests: descriptors(json['manifests']) }
  // Early tools for artefacts that are no containers wrote `blobs`.
  const layers = descriptors(json['layers'] ?? json['blobs'])
  return { is: 'manifest', layers, ...(isObject(json['config']) ? { config: descriptor(json['config']) } : {}) }
}

function descriptors(value: unknown): readonly Descriptor[] {
  if (!Array.isArray(value)) throw malformed('it lists neither manifests nor layers')
  if (value.length > longestList) throw malformed(`it lists more than ${longestList} parts`)
  return value.map(descriptor)
}

function descriptor(value: unknown): Descriptor {
  if (!isObject(value)) throw malformed('one of its parts is not an object')
  const { mediaType, digest, size, platform, annotations } = value
  if (typeof mediaType !== 'string') throw malformed('one of its parts has no media type')
  if (typeof digest !== 'string' || !sha256.test(digest)) throw malformed('one of its parts has no sha256 digest')
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw malformed('one of its parts has no size')
  const architecture = isObject(platform) && typeof platform['architecture'] === 'string' ? platform['architecture'] : undefined
  const words = isObject(annotations)
    ? Object.entries(annotations).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    : []
  return {
    mediaType,
    digest,
    size: size as number,
    annotations: Object.fromEntries(words),
    ...(architecture === undefined ? {} : { architecture }),
  }
}

/** The manifest for one architecture. Old images name theirs by an annotation instead of a platform. */
export function manifestFor(manifests: readonly Descriptor[], architecture: string): Descriptor | undefined {
  return (
    manifests.find(
      m => m.annotations['cname']?.startsWith('metal_pxe') && (m.architecture ?? m.annotations['architecture']) === architecture,
    ) ?? manifests.find(m => m.architecture === architecture)
  )
}

export const architecturesOf = (manifests: readonly Descriptor[]): readonly string[] => [
  ...new Set(manifests.flatMap(m => m.architecture ?? m.annotations['architecture'] ?? []).filter(a => a !== 'unknown')),
]

/** The layers that boot something. Two layers of one role would leave it to chance which is served. */
export function artifactsOf(layers: readonly Descriptor[]): readonly Artifact[] {
  const artifacts: Artifact[] = []
  for (const { mediaType, digest, size } of layers) {
    const role = roleOf(mediaType)
    if (role === undefined) continue
    if (artifacts.some(a => a.role === role)) throw malformed(`it has two layers for ${role}`)
    if (size > largestLayer)
      throw new Fault(
        'image/too-large',
        `Cannot use the image: its ${role} has ${size} bytes, and more than ${largestLayer} (16 GiB) are not fetched`,
        'when-changed',
      )
    artifacts.push({ role, digest, bytes: size })
  }
  return artifacts
}

const malformed = (found: string): Fault => new Fault('image/malformed', `Cannot read the image's manifest: ${found}`, 'when-changed')
