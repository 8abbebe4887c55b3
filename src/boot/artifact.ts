import type { ArtifactRole } from '../policy/boot/method.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'
import { plain } from './answers.ts'
import { wantedRange } from './range.ts'
import type { Source } from './source.ts'

const types: Readonly<Record<ArtifactRole, string>> = {
  uki: 'application/efi',
  iso: 'application/vnd.efi.iso',
  kernel: 'application/octet-stream',
  initramfs: 'application/octet-stream',
  squashfs: 'application/octet-stream',
}

/** Something that can be served in parts. */
export interface Servable extends Source {
  readonly etag: string
}

/** A blob of the cache; undefined while it is not there. */
export async function servableBlob(blobs: Blobs, digest: string): Promise<Servable | undefined> {
  const size = await blobs.size(digest)
  return size === undefined ? undefined : { size, etag: `"${digest}"`, read: (start, end) => blobs.read(digest, start, end) }
}

/**
 * One artefact of a boot as firmware wants it: a length, ranges, an ETag, HEAD without a body, never a redirect.
 * Who may have it is decided before this is called.
 */
export function serveArtifact(
  what: Servable | undefined,
  role: ArtifactRole,
  request: Pick<HttpRequest, 'method' | 'headers'>,
): HttpResponse {
  if (!what) return plain(503, 'The image is not in the cache yet. Try again soon.', { 'retry-after': '5' })
  const { size, etag } = what
  const head = { 'content-type': types[role], etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-transform' }
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: new Uint8Array() }
  // A range of another version would join two files into one that is neither.
  const current = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const wanted = wantedRange(current ? request.headers['range'] : undefined, size)
  if (wanted.is === 'unsatisfiable') return plain(416, 'That part of the image does not exist.', { 'content-range': `bytes */${size}` })
  const [start, end] = wanted.is === 'part' ? [wanted.start, wanted.end] : [0, size]
  const headers = {
    ...head,
    'content-length': String(end - start),
    ...(wanted.is === 'part' ? { 'content-range': `bytes ${start}-${end - 1}/${size}` } : {}),
  }
  const status = wanted.is === 'part' ? 206 : 200
  return { status, headers, body: request.method === 'HEAD' ? new Uint8Array() : what.read(start, end) }
}
