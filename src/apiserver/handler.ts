import { ApiError } from '../api/status.ts'
import type { Attributes, HttpRequest, HttpResponse, User } from '../ports/index.ts'
import { refusal } from './answer.ts'
import { forbidden } from './auth/forbidden.ts'
import type { Api, Call } from './call.ts'
import { noSuchPath } from './discovery.ts'
import type { Metrics } from './metrics.ts'
import { type PathHandler, type RequestInfo, type ResourceRequest, requestInfo } from './request.ts'
import type { Resource } from './resource.ts'
import { create } from './verbs/create.ts'
import { remove } from './verbs/delete.ts'
import { removeAll } from './verbs/delete-collection.ts'
import { get } from './verbs/get.ts'
import { list } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { update } from './verbs/update.ts'
import { watch } from './verbs/watch.ts'
import type { Virtual } from './virtual.ts'

export type Handler = (request: HttpRequest, user: User | undefined) => Promise<HttpResponse>

const verbs = { get, list, watch, create, update, patch, delete: remove, deletecollection: removeAll } as const
const open = /^\/(healthz|livez|readyz)(\/|$)/

/** The whole API as one plain function: who asks is known by the time it is called; what they may do is decided here. */
export function apiHandler(api: Api, paths: PathHandler, virtual: Virtual, metrics: Metrics): Handler {
  return async (request, user) => {
    const started = api.clock.now()
    let info: RequestInfo | undefined
    let response: HttpResponse
    try {
      const [path = '/', search = ''] = split(request.url)
      const query = new URLSearchParams(search)
      info = requestInfo(request.method, path, query)
      response = await answer(api, paths, virtual, { request, query, user, info })
    } catch (error) {
      response = refusal(asApiError(api, error, request))
    }
    metrics.request(info, response.status, api.clock.now() - started)
    return response
  }
}

interface Asked {
  readonly request: HttpRequest
  readonly query: URLSearchParams
  readonly user: User | undefined
  readonly info: RequestInfo
}

async function answer(api: Api, paths: PathHandler, virtual: Virtual, asked: Asked): Promise<HttpResponse> {
  const { request, query, info, user } = asked
  if (info.kind === 'path' && open.test(info.path)) return (await paths(info.path, request, query)) ?? refusal(noSuchPath())
  if (!user) throw new ApiError('Unauthorized', 'Unauthorized')
  if (info.kind === 'path') {
    permit(api, user, { verb: info.verb, path: info.path })
    const found = await paths(info.path, request, query)
    if (!found) throw noSuchPath()
    return found
  }
  const { verb, group, version, plural: resource, subresource, namespace, name } = info
  permit(api, user, {
    verb,
    group,
    version,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  })
  const served = api.registry.find(group, version, resource)
  if (!served) throw noSuchPath()
  const call: Call = { request, query, user, info, resource: served }
  checkScope(call)
  const special = await virtual(call)
  if (special) return special
  checkServed(info, served)
  return verbs[verb](api, call)
}

function permit(api: Api, user: User, attributes: Attributes): void {
  const verdict = api.authorize(user, attributes)
  if (!verdict.allowed) throw forbidden(user, attributes, verdict.because)
}

function checkScope({ info, resource }: Call): void {
  const needsNamespace =
    resource.namespaced &&
    info.namespace === undefined &&
    (info.name !== undefined || info.verb === 'create' || info.verb === 'deletecollection')
  if (needsNamespace || (!resource.namespaced && info.namespace !== undefined)) throw noSuchPath()
}

function checkServed(info: ResourceRequest, resource: Resource): void {
  const serves = info.subresource === undefined ? resource.verbs : resource.subresources.find(s => s.name === info.subresource)?.verbs
  if (serves === undefined) throw noSuchPath()
  // Objects are created in their collection, and changed under their name.
  const misplaced = info.name === undefined ? info.verb === 'update' || info.verb === 'patch' : info.verb === 'create'
  if (misplaced || !serves.includes(info.verb))
    throw new ApiError(
      'MethodNotAllowed',
      `the server does not allow this method on the requested resource: ${info.verb} ${resource.plural}${info.subresource ? `/${info.subresource}` : ''}`,
    )
}

function split(url: string): readonly [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

function asApiError(api: Api, error: unknown, request: HttpRequest): ApiError {
  if (error instanceof ApiError) return error
  // What is not a refusal is a defect of ours: it is logged whole, and told without its inside.
  api.log.error('A request failed in a way nobody foresaw', {
    method: request.method,
    path: request.url.split('?')[0],
    error: error instanceof Error ? error.stack : String(error),
  })
  return new ApiError('InternalError', 'Internal error occurred: the server logged it')
}
