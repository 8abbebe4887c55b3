import { seconds } from '../../core/duration.ts'
import { isObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../ports/index.ts'
import { never } from '../life.ts'
import { type Exchange, exchange, type Victim } from './exchange.ts'
import { somebodyActs } from './somebody.ts'
import { disturbedWatch, openCuts } from './watch.ts'

/** A process's way to the API server: every write open to faults and logged, watches too; reads are only logged. */
export function faultyTransport(victim: Victim, api: Transport, somebodyElse: Transport): Transport {
  const cuts = openCuts(victim.world)
  return async request => {
    const target = targetOf(request)
    if (target.watch) return disturbedWatch(victim, cuts, api, request, target.resource)
    if (request.method === 'GET') return read(victim, api, request, target.name)
    const write: Exchange<HttpResponse> = {
      call: `${verbs[request.method] ?? request.method} ${target.name}`,
      kind: request.method === 'POST' ? 'api create' : 'api write',
      way: victim.way,
      asked: bodyOf(request),
      signal: request.signal,
      patience: seconds(60),
      effect: () => api(unsignalled(request)),
      told: answer => ({ status: answer.status, ...revisionOf(answer) }),
      ...(request.method === 'POST' ? {} : somebodyActs(somebodyElse, victim.world, target.path)),
    }
    return exchange(victim, write)
  }
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

/** A request that is on its way arrives, whatever becomes of its sender. */
const unsignalled = ({ signal: _, ...request }: HttpRequest): HttpRequest => request

async function read(victim: Victim, api: Transport, request: HttpRequest, name: string): Promise<HttpResponse> {
  const { life, log, world, tag: by, way } = victim
  if (!life.asks()) return never()
  way.pass()
  const answer = await life.hear(api(request))
  log.add({
    at: world.elapsed(),
    by,
    what: 'hears',
    call: `get ${name}`,
    nth: 0,
    reads: true,
    detail: { status: answer.status, ...revisionOf(answer) },
  })
  return answer
}

export interface Target {
  readonly path: string
  readonly watch: boolean
  readonly group: string
  /** `servers` */
  readonly resource: string
  /** `default/s1`, or `n1` where there are no namespaces; empty where the request is about no object in particular. */
  readonly key: string
  /** `servers/status default/s1` */
  readonly name: string
}

/** Which resource and object a request is about, as people name them. */
export function targetOf({ url }: Pick<HttpRequest, 'url'>): Target {
  const [path = '', query = ''] = url.split('?')
  const parts = path.split('/').slice(1)
  const rest = parts[0] === 'api' ? parts.slice(2) : parts.slice(3)
  const namespace = rest[0] === 'namespaces' && rest.length > 2 ? rest[1] : undefined
  const [resource = path, object, subresource] = namespace === undefined ? rest : rest.slice(2)
  const key = object === undefined ? '' : `${namespace === undefined ? '' : `${namespace}/`}${object}`
  // Names of Events are made up on the way, so they would name no point twice.
  const named = key === '' || resource === 'events' ? '' : ` ${key}`
  return {
    path,
    watch: /(?:^|&)watch=(?:1|true)/.test(query),
    group: parts[0] === 'api' ? '' : (parts[1] ?? ''),
    resource,
    key,
    name: `${resource}${subresource ? `/${subresource}` : ''}${named}`,
  }
}

/** What was sent, as data; texts that are no JSON are not ours. */
function bodyOf({ body }: HttpRequest): unknown {
  return body === undefined ? undefined : (JSON.parse(new TextDecoder().decode(body)) as unknown)
}

/** Straight from the handler an answer has its object with it; over a socket it is a text. */
function revisionOf({ shared, body }: HttpResponse): { revision?: string } {
  const object = shared ? 'object' in shared && shared.object : body instanceof Uint8Array && parsed(body)
  const metadata = isObject(object) && isObject(object['metadata']) ? object['metadata'] : {}
  return typeof metadata['resourceVersion'] === 'string' ? { revision: metadata['resourceVersion'] } : {}
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown
  } catch {
    return undefined
  }
}
