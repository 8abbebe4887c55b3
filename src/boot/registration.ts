import { isObject } from '../core/json.ts'
import { plainAddress, plainMac } from './address.ts'
import type { Registration } from './kinds.ts'

/** What one server can have at most; a payload with more is cut, since a machine is hostile until shown otherwise. */
const most = { interfaces: 64, neighbors: 16, processors: 64, drives: 256 }

/**
 * What a probe sent (ours, or the one of metal-operator: `data` holds systemInfo, cpu, networkInterfaces, lldp, storage, memory),
 * as the inventory of a server. What is not understood is left out; undefined where there is nothing to understand.
 */
export function readRegistration(systemUUID: string, data: unknown, time: string): Registration | undefined {
  if (!isObject(data)) return undefined
  const info = objectIn(data, 'systemInfo')
  const system = objectIn(info, 'systemInformation')
  const storage = drives(data['storage'])
  const memory = items(data['memory'], 256).reduce((sum, device) => sum + (count(device['size']) ?? 0), 0)
  return {
    systemUUID,
    time,
    ...optional('manufacturer', text(system['manufacturer'])),
    ...optional('model', text(system['productName'])),
    ...optional('sku', text(system['skuNumber'])),
    ...optional('serialNumber', text(system['serialNumber'])),
    ...optional('biosVersion', text(objectIn(info, 'biosInformation')['version'])),
    ...optional('totalSystemMemory', memory > 0 ? `${Math.round(memory / (1 << 20))}Mi` : undefined),
    ...optional('processors', some(processors(data['cpu']))),
    ...optional('networkInterfaces', some(interfaces(data['networkInterfaces'], neighborsOf(data['lldp'])))),
    ...optional('storages', storage.length > 0 ? [{ name: 'disks', drives: storage }] : undefined),
  }
}

type Interface = NonNullable<Registration['networkInterfaces']>[number]
type Neighbor = NonNullable<Interface['neighbors']>[number]
type Processor = NonNullable<Registration['processors']>[number]
type Drive = NonNullable<NonNullable<Registration['storages']>[number]['drives']>[number]

function processors(value: unknown): Processor[] {
  const seen = new Set<string>()
  return items(value, most.processors).flatMap(cpu => {
    const id = `CPU${count(cpu['id']) ?? seen.size}`
    if (seen.has(id)) return []
    seen.add(id)
    return [
      {
        id,
        type: 'CPU',
        ...optional('architecture', text(cpu['architecture'])),
        ...optional('manufacturer', text(cpu['vendor'])),
        ...optional('model', text(cpu['model'])),
        ...optional('totalCores', count(cpu['totalCores'])),
        ...optional('totalThreads', count(cpu['totalHardwareThreads'])),
      },
    ]
  })
}

function interfaces(value: unknown, neighbors: ReadonlyMap<string, readonly Neighbor[]>): Interface[] {
  return items(value, most.interfaces).flatMap(found => {
    const name = text(found['name'])
    const macAddress = plainMac(text(found['macAddress']) ?? '')
    if (name === undefined || macAddress === undefined) return []
    const given = Array.isArray(found['ipAddresses']) ? found['ipAddresses'].slice(0, 32) : [found['ipAddress']]
    const ips = given.flatMap(ip => text(ip) ?? []).map(ip => plainAddress(ip.replace(/\/\d+$/, '')))
    const beside = neighbors.get(name) ?? []
    return [
      {
        name,
        macAddress,
        ...optional('ips', some(ips)),
        ...optional('carrierStatus', text(found['carrierStatus'])),
        ...optional('neighbors', some(beside)),
      },
    ]
  })
}

/** Versions of the upstream probe send a list of interfaces, or an object that holds it as `Neighbors`. */
function neighborsOf(value: unknown): ReadonlyMap<string, readonly Neighbor[]> {
  const listed = isObject(value) ? [value] : items(value, most.interfaces)
  const lines = listed.flatMap(one => ('InterfaceName' in one ? [one] : items(one['Neighbors'], most.interfaces)))
  return new Map(
    lines.map(line => [
      text(line['InterfaceName']) ?? '',
      items(line['Neighbors'], most.neighbors).map(beside => ({
        ...optional('macAddress', plainMac(text(beside['ChassisID']) ?? '')),
        ...optional('portID', text(beside['PortID'])),
        ...optional('portDescription', text(beside['PortDescription'])),
        ...optional('systemName', text(beside['SystemName'])),
        ...optional('systemDescription', text(beside['SystemDescription'])),
      })),
    ]),
  )
}

/** The upstream structure has no JSON names: fields come as Go spells them. */
function drives(value: unknown): Drive[] {
  return items(value, most.drives).map(disk => {
    const of = (name: string): unknown => disk[name] ?? disk[name.toLowerCase()]
    const size = count(of('Size'))
    return {
      ...optional('name', text(of('Name')) ?? text(of('Path'))),
      ...optional('mediaType', of('Rotational') === true ? 'HDD' : of('Rotational') === false ? 'SSD' : undefined),
      ...optional('capacity', size === undefined ? undefined : String(size)),
      ...optional('vendor', text(of('Vendor'))),
      ...optional('model', text(of('Model'))),
    }
  })
}

const items = (value: unknown, limit: number): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.slice(0, limit).filter(isObject) : []
const objectIn = (value: Record<string, unknown>, key: string): Record<string, unknown> => {
  const inside = value[key]
  return isObject(inside) ? inside : {}
}
const some = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined)
const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }

/** Printable, trimmed and short: it ends up in a status that people read. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const printable = value
    .replace(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/g, '')
    .trim()
    .slice(0, 256)
  return printable === '' ? undefined : printable
}
