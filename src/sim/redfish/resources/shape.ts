import { freezeJson, type Json, type JsonObject } from '../../../core/json.ts'
import type { Kit, Node } from '../node.ts'

/** A resource as Redfish wants it: its address, its type, an id and a name. */
export function shape(kit: Kit, path: string, type: string, name: string, properties: { readonly [key: string]: Json }): JsonObject {
  return {
    '@odata.id': kit.at.spell(path),
    '@odata.type': type.includes('.') ? `#${type}` : `#${type}.${type}`,
    Id: path.split('/').at(-1)!,
    Name: name,
    ...properties,
  }
}

/** The same for every BMC of the make. */
export function fixed(
  kit: Kit,
  path: string,
  type: string,
  name: string,
  properties: { readonly [key: string]: Json },
  more: Node = {},
): void {
  const body = freezeJson(shape(kit, path, type, name, properties))
  kit.node(path, { read: () => body, ...more })
}

export function collection(kit: Kit, path: string, type: string, name: string, ids: readonly string[], more: Node = {}): void {
  const body = freezeJson(members(kit, path, type, name, ids))
  kit.node(path, { read: () => body, ...more })
}

export function members(kit: Pick<Kit, 'at'>, path: string, type: string, name: string, ids: readonly string[]): JsonObject {
  return {
    '@odata.id': kit.at.spell(path),
    '@odata.type': `#${type}.${type}`,
    Name: name,
    'Members@odata.count': ids.length,
    Members: ids.map(id => kit.at.to(`${path}/${id}`)),
  }
}

export const healthy: JsonObject = Object.freeze({ State: 'Enabled', Health: 'OK' })
export const rolledUp: JsonObject = Object.freeze({ State: 'Enabled', Health: 'OK', HealthRollup: 'OK' })
export const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
