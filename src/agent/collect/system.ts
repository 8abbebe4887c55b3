import { readUuid } from '../../policy/identity.ts'
import type { Findings } from '../payload.ts'
import type { Files } from './files.ts'

const dmi = '/sys/class/dmi/id'

/** Who this machine is, as its firmware says; undefined where it has no UUID that tells it from others. */
export async function systemUuid(files: Files): Promise<string | undefined> {
  const tree = (await files.bytes('/proc/device-tree/system-id')) ?? (await files.bytes('/sys/firmware/devicetree/base/vm,uuid'))
  return readUuid((await files.text(`${dmi}/product_uuid`)) ?? (tree ? Buffer.from(tree).toString('latin1') : ''))
}

export async function system(files: Files): Promise<Findings['system']> {
  const of = async (name: string): Promise<string | undefined> => meaningful(await files.text(`${dmi}/${name}`))
  const [manufacturer, model, sku, serialNumber, biosVersion] = await Promise.all(
    ['sys_vendor', 'product_name', 'product_sku', 'product_serial', 'bios_version'].map(of),
  )
  return {
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(model === undefined ? {} : { model }),
    ...(sku === undefined ? {} : { sku }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(biosVersion === undefined ? {} : { biosVersion }),
  }
}

/** What boards are shipped with when nobody filled it in. */
const meaningful = (text: string | undefined): string | undefined =>
  text !== undefined && /^(to be filled by o\.?e\.?m\.?|default string|not specified|none|n\/a|0+)$/i.test(text) ? undefined : text

/** `MemTotal` leaves out what firmware and kernel keep; it is what there is without reading SMBIOS. */
export async function memoryBytes(files: Files): Promise<number> {
  const found = /^MemTotal:\s+(\d+) kB/m.exec((await files.text('/proc/meminfo')) ?? '')
  return Number(found?.[1] ?? 0) * 1024
}

/** One entry per socket. */
export async function processors(files: Files): Promise<Findings['processors']> {
  const sockets = new Map<string, { vendor: string; model: string; cores: Set<string>; threads: number }>()
  for (const block of ((await files.text('/proc/cpuinfo')) ?? '').split(/\n\s*\n/)) {
    const fields = new Map([...block.matchAll(/^([^:]+?)\s*:\s*(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
    if (!fields.has('processor')) continue
    const id = fields.get('physical id') ?? '0'
    const socket = sockets.get(id) ?? {
      vendor: fields.get('vendor_id') ?? '',
      model: fields.get('model name') ?? '',
      cores: new Set(),
      threads: 0,
    }
    socket.cores.add(fields.get('core id') ?? fields.get('processor')!)
    socket.threads += 1
    sockets.set(id, socket)
  }
  return [...sockets].map(([id, { vendor, model, cores, threads }]) => ({ id: Number(id), vendor, model, cores: cores.size, threads }))
}
