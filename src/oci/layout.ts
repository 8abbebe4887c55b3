import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { ImageSource } from './resolve.ts'

const refName = 'org.opencontainers.image.ref.name'
const sha256 = /^sha256:([0-9a-f]{64})$/
const largestDocument = 4 << 20

/** An OCI layout folder that stands for a registry: images without a network. Only digests become file names. */
export function layoutSource(folder: string): ImageSource {
  const blobPath = (digest: string): string => {
    const hex = sha256.exec(digest)?.[1]
    if (hex === undefined)
      throw new Fault(
        'image/bad-reference',
        `Cannot read a blob of ${folder}: "${digest.slice(0, 80)}" is no sha256 digest`,
        'when-changed',
      )
    return join(folder, 'blobs', 'sha256', hex)
  }
  return {
    async document(repository, tagOrDigest) {
      const digest = sha256.test(tagOrDigest) ? tagOrDigest : await digestOfTag(folder, repository, tagOrDigest)
      return small(blobPath(digest), `${repository} ${tagOrDigest}`)
    },
    async *blob(_repository, digest) {
      for await (const chunk of createReadStream(blobPath(digest), { highWaterMark: 1 << 20 })) yield chunk as Uint8Array
    },
  }
}

async function digestOfTag(folder: string, repository: string, tag: string): Promise<string> {
  const index: unknown = JSON.parse(Buffer.from(await small(join(folder, 'index.json'), 'index.json')).toString('utf8'))
  const manifests = isObject(index) && Array.isArray(index['manifests']) ? index['manifests'].filter(isObject) : []
  const wanted = [`${repository}:${tag}`, `${repository.replace(/^library\//, '')}:${tag}`]
  const found = manifests.find(m => isObject(m['annotations']) && wanted.includes(String(m['annotations'][refName])))
  if (typeof found?.['digest'] === 'string') return found['digest']
  throw new Fault('image/not-found', `Cannot find ${repository}:${tag} in ${folder}: its index names no such image`, 'when-changed')
}

async function small(path: string, what: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    if (size > largestDocument) throw new Fault('image/malformed', `Cannot read ${what}: it is larger than 4 MiB`, 'when-changed')
    return await readFile(path)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault('image/not-found', `Cannot read ${what}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, 'backoff', {
      cause,
    })
  }
}
