import { createHash } from 'node:crypto'
import { ApiError } from '../../api/status.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bytes, utf8 } from '../answer.ts'
import type { Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { documentOf } from './document.ts'

export interface OpenApi {
  /** Answers GET /openapi/v3 (which documents there are) and /openapi/v3/<path> (one of them). */
  answer(path: string, query: URLSearchParams): HttpResponse
}

interface Document {
  readonly resources: readonly Resource[]
  readonly body: Uint8Array
  readonly hash: string
}

/** Documents are made when somebody asks, and made again only where the resources of their group version are others than before. */
export function openApiDocuments(registry: Pick<Registry, 'generation' | 'all'>): OpenApi {
  let made: ReadonlyMap<string, Document> = new Map()
  let generation: number | undefined
  const current = (): ReadonlyMap<string, Document> => {
    if (generation === registry.generation) return made
    const next = new Map<string, Document>()
    for (const [path, resources] of byGroupVersion(registry.all())) {
      const before = made.get(path)
      next.set(path, before && sameResources(before.resources, resources) ? before : describe(resources))
    }
    made = next
    generation = registry.generation
    return made
  }
  return {
    answer(path, query) {
      if (path === '/openapi/v3' || path === '/openapi/v3/') return index(current())
      const name = path.slice('/openapi/v3/'.length)
      const document = current().get(name)
      if (!document) throw new ApiError('NotFound', `Cannot describe "${name}": no group version of that name is served`)
      // The address of a document names its content, so that whoever has it never asks again.
      const lasting = query.get('hash') === document.hash
      return bytes(document.body, 200, {
        etag: `"${document.hash}"`,
        'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache, private',
      })
    },
  }
}

function byGroupVersion(resources: readonly Resource[]): ReadonlyMap<string, readonly Resource[]> {
  const groups = new Map<string, Resource[]>()
  for (const resource of resources) {
    const path = resource.group === '' ? `api/${resource.version}` : `apis/${resource.group}/${resource.version}`
    const known = groups.get(path)
    if (known) known.push(resource)
    else groups.set(path, [resource])
  }
  return groups
}

const sameResources = (a: readonly Resource[], b: readonly Resource[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i])

function describe(resources: readonly Resource[]): Document {
  const body = utf8(JSON.stringify(documentOf(resources)))
  return { resources, body, hash: createHash('sha256').update(body).digest('hex').toUpperCase() }
}

function index(documents: ReadonlyMap<string, Document>): HttpResponse {
  const paths = [...documents].map(([path, { hash }]) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }])
  return bytes(utf8(JSON.stringify({ paths: Object.fromEntries(paths) })), 200, { 'cache-control': 'no-cache, private' })
}
