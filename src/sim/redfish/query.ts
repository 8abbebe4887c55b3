import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { SimBmc } from './bmc.ts'
import type { Call } from './call.ts'
import { Refusal } from './refusal.ts'

const known = ['$expand', '$select', '$top', '$skip', '$filter', 'only', 'excerpt']

/** `$` parameters that this service does not know are refused with 501; others are none of its business. */
export function applyQuery(bmc: SimBmc, resource: JsonObject, call: Call, read: (path: string) => JsonObject | undefined): JsonObject {
  const { protocol } = bmc.make.personality
  for (const name of call.query.keys()) if (name.startsWith('$') && !known.includes(name)) throw new Refusal(501, 'QueryNotSupported')
  if (call.query.has('$filter') || call.query.has('excerpt')) throw new Refusal(501, 'QueryNotSupported')
  const paged = page(resource, call, protocol.pageSize)
  const expand = call.query.get('$expand')
  if (expand !== undefined && protocol.expandLevels === undefined) throw new Refusal(501, 'QueryNotSupported')
  const expanded = expand === undefined ? paged : expandLinks(paged, levelsOf(expand, protocol.expandLevels ?? 1), read, linksOnly(expand))
  const only = call.query.has('only') && protocol.only ? onlyMember(expanded, read) : expanded
  return select(only, protocol.select ? call.query.get('$select') : undefined)
}

/** Collections come in pages where the vendor has a limit, or the client asks for one. */
function page(resource: JsonObject, call: Call, size: number | undefined): JsonObject {
  const members = resource['Members']
  if (!Array.isArray(members)) return resource
  const skip = countOf(call, '$skip') ?? 0
  const top = Math.min(countOf(call, '$top') ?? Number.POSITIVE_INFINITY, size ?? Number.POSITIVE_INFINITY)
  if (skip === 0 && members.length <= top) return resource
  const next = skip + top
  return {
    ...resource,
    Members: members.slice(skip, next),
    ...(next < members.length ? { 'Members@odata.nextLink': `${call.path}?$skip=${next}` } : {}),
  }
}

function countOf(call: Call, name: string): number | undefined {
  const text = call.query.get(name)
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, 'QueryParameterValueTypeError', [text, name])
  return Number(text)
}

function levelsOf(expand: string, most: number): number {
  const asked = Number(/\$levels=(\d+)/.exec(expand)?.[1] ?? 1)
  if (asked > most) throw new Refusal(400, 'QueryParameterValueTypeError', [expand, '$expand'])
  return asked
}

/** `.` leaves out what stands under Links, `~` takes only that, `*` takes both. */
const linksOnly = (expand: string): 'sub' | 'links' | 'all' => (expand.startsWith('~') ? 'links' : expand.startsWith('*') ? 'all' : 'sub')

function expandLinks(
  resource: JsonObject,
  levels: number,
  read: (path: string) => JsonObject | undefined,
  which: 'sub' | 'links' | 'all',
): JsonObject {
  const visit = (value: Json, left: number, inLinks: boolean): Json => {
    if (Array.isArray(value)) return value.map(one => visit(one as Json, left, inLinks))
    if (!isObject(value)) return value
    const object = value as JsonObject
    const path = object['@odata.id']
    const isLink = typeof path === 'string' && Object.keys(object).length === 1
    if (isLink && left > 0 && (which === 'all' || (which === 'links') === inLinks)) {
      const target = read(path)
      return target ? walk(target, left - 1) : object
    }
    return Object.fromEntries(Object.entries(object).map(([key, one]) => [key, visit(one, left, inLinks || key === 'Links')]))
  }
  const walk = (object: JsonObject, left: number): JsonObject =>
    left === 0
      ? object
      : Object.fromEntries(Object.entries(object).map(([key, one]) => [key, key.startsWith('@') ? one : visit(one, left, key === 'Links')]))
  return walk(resource, levels)
}

function onlyMember(resource: JsonObject, read: (path: string) => JsonObject | undefined): JsonObject {
  const members = resource['Members']
  const single = Array.isArray(members) && members.length === 1 ? (members[0] as JsonObject)['@odata.id'] : undefined
  return (typeof single === 'string' ? read(single) : undefined) ?? resource
}

function select(resource: JsonObject, wanted: string | undefined): JsonObject {
  if (wanted === undefined) return resource
  const names = wanted.split(',').map(name => name.trim().split('/')[0]!)
  return Object.fromEntries(Object.entries(resource).filter(([key]) => key.startsWith('@odata.') || names.includes(key.split('@')[0]!)))
}
