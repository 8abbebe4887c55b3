import { createHash } from 'node:crypto'
import { Fault } from '../core/fault.ts'

/** Passes bytes on while it adds up their digest, and fails at the end (or at the first byte too many) if they are not what was promised. */
export async function* verified(chunks: AsyncIterable<Uint8Array>, digest: string, size: number): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let seen = 0
  for await (const chunk of chunks) {
    seen += chunk.length
    if (seen > size) throw differs(digest, `more than the ${size} bytes that its manifest names`)
    hash.update(chunk)
    yield chunk
  }
  if (seen < size) throw differs(digest, `${seen} bytes instead of ${size}`)
  const found = `sha256:${hash.digest('hex')}`
  if (found !== digest) throw differs(digest, `other content (${found})`)
}

/** A small document as a whole: nothing is parsed before its digest is right. */
export function checkDigest(bytes: Uint8Array, digest: string, size = bytes.length): void {
  if (bytes.length !== size) throw differs(digest, `${bytes.length} bytes instead of ${size}`)
  const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  if (found !== digest) throw differs(digest, `other content (${found})`)
}

const differs = (digest: string, found: string): Fault =>
  new Fault('image/digest-differs', `Cannot use ${digest}: the registry sent ${found}`, 'backoff')
