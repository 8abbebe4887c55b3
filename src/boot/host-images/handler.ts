import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { notFound, withoutBody, wrongMethod } from '../answers.ts'
import { serveArtifact } from '../artifact.ts'
import { fileNames, type Shelf } from './shelf.ts'

const shape = /^\/host-images\/([0-9a-f]{64}|[0-9a-f]{32}-[0-9a-f]{32})\/([a-z.]{1,16})$/

/** Serves images of hosts; undefined where the request is for somebody else. Whoever knows the address may read: it is made of a secret. */
export const hostImageHandler =
  (shelf: Shelf) =>
  (request: HttpRequest): HttpResponse | undefined => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!path.startsWith('/host-images/')) return undefined
    const [, name = '', file = ''] = shape.exec(path) ?? []
    const found = shelf.find(name, file)
    if (!found) return request.method === 'HEAD' ? withoutBody(notFound) : notFound
    if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
    return serveArtifact(found, file === fileNames.iso ? 'iso' : 'initramfs', request)
  }
