import { isObject } from '../../src/core/json.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../src/ports/index.ts'
import { plainTree } from './tree.ts'

export type Tree = Record<string, Record<string, unknown>>
/** Answers in place of the tree, or lets it answer. */
export type Hook = (request: HttpRequest, body: Record<string, unknown>) => HttpResponse | undefined | Promise<HttpResponse>

export interface FakeBmc {
  readonly transport: Transport
  readonly tree: Tree
  readonly asked: readonly string[]
  readonly requests: readonly HttpRequest[]
  readonly sessions: Set<string>
  password: string
  loginFailures: number
  /** By `VERB /path`, without query. */
  readonly on: Map<string, Hook>
  /** Writes: verb, path and body. */
  readonly writes: readonly { readonly call: string; readonly body: Record<string, unknown> }[]
}

export const json = (status: number, body?: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body)),
})

export const refusal = (status: number, id: string, message = '', args: readonly string[] = []): HttpResponse =>
  json(status, {
    error: {
      code: 'Base.1.8.GeneralError',
      message: 'See extended info',
      '@Message.ExtendedInfo': [{ MessageId: `Base.1.8.${id}`, Message: message, MessageArgs: args, MessageSeverity: 'Critical' }],
    },
  })

const sessionsPath = '/redfish/v1/SessionService/Sessions'

/** A small BMC of plain data: reads, merges changes, keeps sessions, switches power at once. What a test is about, it hooks. */
export function fakeBmc(change: (tree: Tree) => void = () => {}): FakeBmc {
  const tree = plainTree()
  change(tree)
  const asked: string[] = []
  const requests: HttpRequest[] = []
  const writes: { call: string; body: Record<string, unknown> }[] = []
  let count = 0
  const fake: FakeBmc = {
    tree,
    asked,
    requests,
    writes,
    sessions: new Set(),
    password: 'calvin-secret',
    loginFailures: 0,
    on: new Map(),
    async transport(request) {
      const path = request.url.split('?', 1)[0]!
      const call = `${request.method} ${path}`
      const body = bodyOf(request)
      asked.push(call)
      requests.push(request)
      if (request.method !== 'GET' && !path.startsWith(sessionsPath)) writes.push({ call, body })
      const hooked = await fake.on.get(call)?.(request, body)
      if (hooked) return hooked
      if (call === `POST ${sessionsPath}`) {
        if (body['Password'] !== fake.password) {
          fake.loginFailures++
          return refusal(401, 'InsufficientPrivilege', `password ${String(body['Password'])} is wrong`)
        }
        const token = `token-${++count}`
        fake.sessions.add(token)
        return json(201, {}, { 'x-auth-token': token, location: `https://other-name${sessionsPath}/${token}` })
      }
      if (path !== '/redfish/v1/' && !isIn(fake, request)) return refusal(401, 'NoValidSession')
      if (request.method === 'DELETE')
        return fake.sessions.delete(path.split('/').at(-1)!) ? json(204) : refusal(404, 'ResourceMissingAtURI')
      const key = path.replace(/\/$/, '')
      if (request.method === 'GET') {
        const found = tree[key]
        return found ? json(200, found) : refusal(404, 'ResourceMissingAtURI')
      }
      if (request.method === 'PATCH') {
        const found = tree[key]
        if (!found) return refusal(404, 'ResourceMissingAtURI')
        merge(found, body)
        return json(204)
      }
      return acted(tree, path, body)
    },
  }
  return fake
}

function isIn(fake: FakeBmc, { headers }: HttpRequest): boolean {
  if (headers['x-auth-token'] !== undefined) return fake.sessions.has(headers['x-auth-token'])
  const basic = Buffer.from(headers['authorization']?.slice(6) ?? '', 'base64').toString()
  if (basic === `root:${fake.password}`) return true
  if (basic !== '') fake.loginFailures++
  return false
}

function acted(tree: Tree, path: string, body: Record<string, unknown>): HttpResponse {
  const [owner = '', action] = path.split('/Actions/')
  const resource = tree[owner]
  if (!resource) return refusal(404, 'ResourceMissingAtURI')
  if (action === 'ComputerSystem.Reset') resource['PowerState'] = /Off|Shutdown/.test(String(body['ResetType'])) ? 'Off' : 'On'
  else if (action === 'VirtualMedia.InsertMedia') merge(resource, { Image: body['Image'], Inserted: true })
  else if (action === 'VirtualMedia.EjectMedia') merge(resource, { Image: null, Inserted: false })
  else if (action === 'UpdateService.SimpleUpdate')
    return json(202, tree['/redfish/v1/TaskService/Tasks/7'], { location: '/redfish/v1/TaskService/TaskMonitors/7' })
  else if (action !== 'Manager.Reset') return refusal(405, 'ActionNotSupported')
  return json(204)
}

function merge(into: Record<string, unknown>, change: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(change)) {
    const old = into[name]
    if (isObject(value) && isObject(old)) merge(old, value)
    else into[name] = value
  }
}

function bodyOf(request: HttpRequest): Record<string, unknown> {
  if (!request.body || !request.headers['content-type']?.includes('json')) return {}
  const parsed: unknown = JSON.parse(new TextDecoder().decode(request.body))
  return isObject(parsed) ? parsed : {}
}
