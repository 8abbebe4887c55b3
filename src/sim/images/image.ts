import { createHash } from 'node:crypto'
import type { ArtifactRole } from '../../policy/boot/method.ts'

/** An image for simulated machines: what it holds for booting, for each architecture in the registry's words (amd64, arm64). */
export interface SimImage {
  readonly repository: string
  readonly tag: string
  readonly content: Readonly<Record<string, Readonly<Partial<Record<ArtifactRole, Uint8Array>>>>>
}

export interface Blob {
  readonly digest: string
  readonly bytes: Uint8Array
}

/** An image as a registry keeps it: the blobs, and the document that its tag names. */
export interface PackedImage {
  readonly name: string
  readonly top: Descriptor
  readonly blobs: readonly Blob[]
}

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly platform?: { readonly os: 'linux'; readonly architecture: string }
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const indexType = 'application/vnd.oci.image.index.v1+json'
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export function packImage({ repository, tag, content }: SimImage): PackedImage {
  const blobs: Blob[] = []
  const keep = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const digest = digestOf(bytes)
    blobs.push({ digest, bytes })
    return { mediaType, digest, size: bytes.length }
  }
  const document = (mediaType: string, json: object): Descriptor =>
    keep(mediaType, Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...json })))
  const config = keep('application/vnd.oci.empty.v1+json', Buffer.from('{}'))
  const manifests = Object.entries(content).map(([architecture, roles]) => {
    const layers = Object.entries(roles).map(([role, bytes]) => keep(`application/vnd.ironcore.image.${role}`, bytes))
    return { ...document(manifestType, { config, layers }), platform: { os: 'linux' as const, architecture } }
  })
  return { name: `${repository}:${tag}`, top: document(indexType, { manifests }), blobs }
}
