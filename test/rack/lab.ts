import type { Json } from '../../src/core/json.ts'
import type { HttpResponse } from '../../src/ports/index.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { openRack, type Rack, type RackEvent, type RackOptions } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'

/** What a test reads of a resource; deep on purpose. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely, the assertions are the types
export type Body = any

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

export interface Lab {
  readonly rack: Rack
  readonly happened: RackEvent[]
  /** Lets `ms` of simulated time pass. */
  pass(ms: number): Promise<void>
  call(method: string, path: string, body?: Json, headers?: Readonly<Record<string, string>>, server?: string): Promise<Answer>
  get(path: string, server?: string): Promise<Body>
}

export interface LabOptions extends Partial<Omit<RackOptions, 'clock' | 'ids'>> {
  readonly make?: string
}

/** A rack in virtual time with one server, spoken to with basic authentication. */
export function lab({ make = 'generic', ...options }: LabOptions = {}): Lab {
  const clock = virtualClock()
  const rack = openRack({ clock, ids: seededIds(seeded('rack')), servers: [{ name: 's1', personality: make }], ...options })
  const happened: RackEvent[] = []
  rack.onEvent(event => happened.push(event))
  const pass = async (ms: number): Promise<void> => {
    const until = clock.elapsed() + ms
    do await clock.settle()
    while (clock.advance(until))
  }
  const call: Lab['call'] = async (method, path, body, headers = {}, server = 's1') => {
    const authorization = `Basic ${Buffer.from(`${rack.username}:${rack.password(server)}`).toString('base64')}`
    const answer = await rack.handle(server, {
      method,
      url: path,
      headers: { ...(headers['x-auth-token'] === undefined ? { authorization } : {}), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    })
    return { status: answer.status, headers: answer.headers, body: await parsed(answer) }
  }
  return { rack, happened, pass, call, get: async (path, server) => (await call('GET', path, undefined, {}, server)).body }
}

async function parsed(answer: HttpResponse): Promise<Body> {
  const parts: Uint8Array[] = []
  if (answer.body instanceof Uint8Array) parts.push(answer.body)
  else for await (const part of answer.body) parts.push(part)
  const text = Buffer.concat(parts).toString('utf8')
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
