import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../core/fault.ts'
import type { ImageSource } from '../../oci/resolve.ts'
import { packImage, type SimImage } from './image.ts'

/** Puts images into an OCI layout folder, which then stands for a registry (see `layoutSource`). */
export function writeLayout(folder: string, images: readonly SimImage[]): void {
  const packed = images.map(packImage)
  mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true })
  for (const { blobs } of packed)
    for (const { digest, bytes } of blobs) writeFileSync(join(folder, 'blobs', 'sha256', digest.slice('sha256:'.length)), bytes)
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  const manifests = packed.map(({ name, top }) => ({ ...top, annotations: { 'org.opencontainers.image.ref.name': name } }))
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }))
}

/** The same in memory, for worlds without files. */
export function memoryImages(images: readonly SimImage[]): ImageSource {
  const packed = images.map(packImage)
  const blobs = new Map(packed.flatMap(image => image.blobs.map(({ digest, bytes }) => [digest, bytes] as const)))
  const tags = new Map(packed.map(({ name, top }) => [name, top.digest]))
  const blob = (digest: string, name: string): Uint8Array => {
    const bytes = blobs.get(digest)
    if (!bytes) throw new Fault('image/not-found', `Cannot find ${name}: there is no such image`, 'when-changed')
    return bytes
  }
  return {
    document: async (repository, name) =>
      blob(name.startsWith('sha256:') ? name : (tags.get(`${repository}:${name}`) ?? ''), `${repository}:${name}`),
    async *blob(repository, digest) {
      yield blob(digest, `${repository}@${digest}`)
    },
  }
}
