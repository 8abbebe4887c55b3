import { isObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../ports/index.ts'
import { type Target, targetOf } from '../faults/transport.ts'
import { type Acknowledged, openAcknowledged } from './acknowledged.ts'

/** Every request of a paced world: what is under way, and what was written. A watch counts until it is answered; its events do not. */
export interface Traffic {
  /** What is under way, for people; undefined where nothing is. */
  busy(): string | undefined
  /** The newest revision that an answer to a write to this resource (`group/plural`) told of. */
  written(resource: string): string | undefined
  /** By uid: objects that are gone or asked to go, by the server's answers. Watches may have told so before. */
  readonly removals: Map<string, { readonly resource: string; readonly key: string }>
  readonly acknowledged: Acknowledged
  through(transport: Transport): Transport
}

export function openTraffic(): Traffic {
  const underWay = new Map<object, string>()
  const written = new Map<string, string>()
  const removals: Traffic['removals'] = new Map()
  const acknowledged = openAcknowledged()

  async function send(transport: Transport, request: HttpRequest): Promise<HttpResponse> {
    const target = targetOf(request)
    const ticket = {}
    underWay.set(ticket, `${request.method} ${target.name}`)
    try {
      const answer = await transport(request)
      if (target.watch && answer.status === 200) {
        underWay.delete(ticket)
        return answer
      }
      const body = answer.body instanceof Uint8Array ? answer.body : await whole(answer.body)
      if (request.method !== 'GET' && answer.status < 300) note(request.method, target, body)
      return { ...answer, body }
    } finally {
      underWay.delete(ticket)
    }
  }

  function note(method: string, { group, resource, key }: Target, body: Uint8Array): void {
    const of = `${group}/${resource}`
    const answer = JSON.parse(new TextDecoder().decode(body)) as unknown
    const metadata = isObject(answer) && isObject(answer['metadata']) ? answer['metadata'] : {}
    if (typeof metadata['resourceVersion'] === 'string') written.set(of, metadata['resourceVersion'])
    const removed = acknowledged.note(of, key, method, answer)
    if (removed !== undefined) removals.set(removed, { resource: of, key })
  }

  return {
    busy: () => (underWay.size === 0 ? undefined : `${[...underWay.values()].join(', ')} is under way`),
    written: resource => written.get(resource),
    removals,
    acknowledged,
    through: transport => request => send(transport, request),
  }
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
