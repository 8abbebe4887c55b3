import { isObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../ports/index.ts'
import { targetOf } from '../faults/transport.ts'

/** Every request of a paced world: what is under way, and what was written. A watch counts until it is answered; its events do not. */
export interface Traffic {
  /** What is under way, for people; undefined where nothing is. */
  busy(): string | undefined
  /** The newest revision that an answer to a write to this resource told of. */
  written(resource: string): string | undefined
  /** Objects of this resource that were asked to be removed and have not been seen to go. */
  readonly removals: Map<string, string>
  through(transport: Transport): Transport
}

export function openTraffic(): Traffic {
  const underWay = new Map<object, string>()
  const written = new Map<string, string>()
  const removals = new Map<string, string>()

  async function send(transport: Transport, request: HttpRequest): Promise<HttpResponse> {
    const { name, resource, watch } = targetOf(request)
    const ticket = {}
    underWay.set(ticket, `${request.method} ${name}`)
    try {
      const answer = await transport(request)
      if (watch && answer.status === 200) {
        underWay.delete(ticket)
        return answer
      }
      const body = answer.body instanceof Uint8Array ? answer.body : await whole(answer.body)
      if (request.method !== 'GET' && answer.status < 300) note(request.method, name, resource, body)
      return { ...answer, body }
    } finally {
      underWay.delete(ticket)
    }
  }

  function note(method: string, name: string, resource: string, body: Uint8Array): void {
    const answer = JSON.parse(new TextDecoder().decode(body)) as unknown
    const metadata = isObject(answer) && isObject(answer['metadata']) ? answer['metadata'] : {}
    if (typeof metadata['resourceVersion'] === 'string') written.set(resource, metadata['resourceVersion'])
    if (method === 'DELETE') removals.set(name, resource)
  }

  return {
    busy: () => (underWay.size === 0 ? undefined : `${[...underWay.values()].join(', ')} is under way`),
    written: resource => written.get(resource),
    removals,
    through: transport => request => send(transport, request),
  }
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
