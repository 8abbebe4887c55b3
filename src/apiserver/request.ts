import { ApiError } from '../api/status.ts'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'

/** What a URL and method ask for, in Kubernetes' terms. */
export type RequestInfo = ResourceRequest | { readonly kind: 'path'; readonly verb: string; readonly path: string }

export interface ResourceRequest {
  readonly kind: 'resource'
  readonly verb: Verb
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** Reads the path. Everything that is not an object or a collection is a plain path (discovery, health, OpenAPI). */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = path
    .split('/')
    .filter(part => part !== '')
    .map(decode)
  const plain = { kind: 'path', verb: method.toLowerCase(), path } as const
  const [root] = parts
  const prefix = root === 'api' ? 2 : root === 'apis' ? 3 : 0
  if (prefix === 0 || parts.length <= prefix) return plain
  const group = root === 'api' ? '' : (parts[1] ?? '')
  const version = parts[prefix - 1] ?? ''
  let rest = parts.slice(prefix)
  let namespace: string | undefined
  if (rest[0] === 'namespaces' && rest.length > 2 && !(group === '' && isNamespaceSubresource(rest))) {
    namespace = rest[1]
    rest = rest.slice(2)
  }
  const [plural = '', name, subresource, extra] = rest
  if (extra !== undefined) throw new ApiError('NotFound', 'the server could not find the requested resource')
  const verb = verbOf(method, name, query)
  return {
    kind: 'resource',
    verb,
    group,
    version,
    plural,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  }
}

/** `/api/v1/namespaces/x/status` speaks of the namespace itself, not of a resource called "status" inside it. */
const isNamespaceSubresource = (rest: readonly string[]): boolean => rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize')

function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (name === undefined) return isTrue(query.get('watch')) ? 'watch' : 'list'
      return 'get'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete'
    default:
      throw new ApiError('MethodNotAllowed', `the server does not allow the method ${method}`)
  }
}

export const isTrue = (value: string | null): boolean => value === 'true' || value === '1'

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new ApiError('BadRequest', `Cannot read the request path: "${part}" is not valid percent-encoding`)
  }
}

/** Answers everything that is not a resource; undefined where there is nothing at that path. */
export type PathHandler = (path: string, request: HttpRequest, query: URLSearchParams) => Promise<HttpResponse | undefined>
