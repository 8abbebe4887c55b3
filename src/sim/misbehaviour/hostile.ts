import { isObject, type JsonObject } from '../../core/json.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { type CallLike, type Misbehaving, takes } from './switches.ts'

/** Answers that want to hurt whoever reads them. */
export function hostile(who: Misbehaving, call: CallLike, answer: HttpResponse, body: Uint8Array): HttpResponse {
  if (takes(who, 'huge-body', call)) return { ...answer, body: endless(100 * 1024 * 1024) }
  if (takes(who, 'deep-json', call)) return withText(answer, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)
  const resource = JSON.parse(Buffer.from(body).toString('utf8')) as JsonObject
  if (takes(who, 'proto-keys', call))
    return withText(
      answer,
      `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(resource).slice(1)}`,
    )
  if (takes(who, 'wrong-types', call)) return withText(answer, JSON.stringify(turned(resource)))
  if (!Array.isArray(resource['Members'])) return answer
  if (takes(who, 'cyclic-links', call))
    return withText(answer, JSON.stringify({ ...resource, 'Members@odata.nextLink': resource['@odata.id'] ?? call.path }))
  if (takes(who, 'million-members', call)) return withText(answer, million(resource))
  return answer
}

const withText = (answer: HttpResponse, text: string): HttpResponse => ({ ...answer, body: Buffer.from(text) })

async function* endless(bytes: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.from(`"${'x'.repeat(65_532)}",\n`)
  yield Buffer.from('{"Members":[')
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
  yield Buffer.from('""]}')
}

function million(resource: JsonObject): string {
  const id = String(resource['@odata.id'])
  const members = Array.from({ length: 1_000_000 }, (_, n) => `{"@odata.id":"${id}/${n}"}`)
  return `{"@odata.id":"${id}","Members@odata.count":1000000,"Members":[${members.join(',')}]}`
}

/** Numbers become strings, strings numbers, lists objects; links stay, so that somebody follows them. */
function turned(value: unknown, key = ''): unknown {
  if (key.startsWith('@')) return value
  if (typeof value === 'string') return value.length
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return Object.fromEntries(value.map((one, n) => [String(n), turned(one)]))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, turned(one, name)]))
  return value
}
