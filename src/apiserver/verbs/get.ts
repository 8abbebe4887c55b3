import type { HttpResponse } from '../../ports/index.ts'
import { bytes } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { negotiate } from '../negotiate.ts'
import { notFound } from '../registry.ts'
import { objectKey, storedUnder } from '../resource.ts'
import { project } from './project.ts'

export function get(api: Api, call: Call): HttpResponse {
  const { resource, info, query, request } = call
  const name = info.name ?? ''
  const entry = api.world.get(storedUnder(resource), objectKey(info.namespace, name))
  if (!entry) throw notFound(resource, name)
  const view = api.views.of(resource, entry)
  const shape = negotiate(request.headers['accept'])
  if (request.shares && shape === 'object') return { status: 200, headers: {}, body: new Uint8Array(), shared: { object: view.object } }
  return bytes(shape === 'object' ? view.bytes : project(api, resource, [view.object], shape, query, view.object.metadata.resourceVersion))
}
