import { createHash, timingSafeEqual } from 'node:crypto'
import { Fault } from '../../core/fault.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { catalogue, isFault } from '../misbehaviour/catalogue.ts'
import type { FaultOrder, Rack } from '../rack.ts'
import { callOf } from './call.ts'
import { Refusal } from './refusal.ts'

/** The simulator's own door: who is in the rack, what is wrong with them, and switches for it. Not Redfish. */
export function adminOf(rack: Rack, token: string): (request: HttpRequest) => Promise<HttpResponse> {
  const expected = hash(`Bearer ${token}`)
  return async request => {
    if (!timingSafeEqual(hash(request.headers['authorization'] ?? ''), expected))
      return answer(401, { message: 'The token is missing or wrong.' })
    try {
      return route(rack, request)
    } catch (error) {
      if (error instanceof Fault) return answer(404, { code: error.code, message: error.message })
      if (error instanceof Refusal) return answer(error.status, { message: 'The body is not a JSON object.' })
      throw error
    }
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

function route(rack: Rack, request: HttpRequest): HttpResponse {
  const call = callOf(request)
  switch (`${call.method} ${call.key}`) {
    case 'GET /sim/servers':
      return answer(200, { servers: rack.servers.map(server => stateOf(rack, server)) })
    case 'GET /sim/catalogue':
      return answer(200, { faults: catalogue as unknown as JsonObject })
    case 'POST /sim/faults':
      return switchOn(rack, call.body())
    case 'POST /sim/heal': {
      const { server, fault } = call.body()
      rack.heal(String(server), typeof fault === 'string' && isFault(fault) ? fault : undefined)
      return answer(200, stateOf(rack, String(server)))
    }
    default:
      return answer(404, { message: `There is no ${call.method} ${call.path} here.` })
  }
}

function switchOn(rack: Rack, body: JsonObject): HttpResponse {
  const { server, fault, times, method, path, value } = body
  if (typeof fault !== 'string' || !isFault(fault))
    return answer(400, { message: `There is no fault "${String(fault)}"; they are ${Object.keys(catalogue).join(', ')}.` })
  const order: FaultOrder = {
    ...(typeof times === 'number' ? { times } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof value === 'number' ? { value } : {}),
  }
  rack.fault(String(server), fault, order)
  return answer(200, stateOf(rack, String(server)))
}

function stateOf(rack: Rack, server: string): JsonObject {
  const { power, stage, source, disk } = rack.machine(server)
  return {
    name: server,
    make: rack.personality(server).name,
    power,
    stage,
    bootedFrom: source ?? null,
    disk: disk?.os ?? null,
    faults: rack.faults(server).map(({ fault, left }) => ({ fault, left: left ?? null })),
    counts: { ...rack.counts(server) },
  }
}

const answer = (status: number, body: Json): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})
