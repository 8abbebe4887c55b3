import type { Disk } from '../payload.ts'
import type { Files } from './files.ts'

const block = '/sys/class/block'

/** Whole disks that stay: no partitions, no loop devices, nothing that can be pulled out. */
export async function disks(files: Files): Promise<readonly Disk[]> {
  const found: Disk[] = []
  for (const name of await files.names(block)) {
    const at = `${block}/${name}`
    const hardware = (await files.names(`${at}/device`)).length > 0
    const size = Number((await files.text(`${at}/size`)) ?? 0)
    if (!hardware || size === 0 || (await files.text(`${at}/removable`)) === '1' || /^(sr|fd|mtd)\d/.test(name)) continue
    const of = async (field: string): Promise<Record<string, string>> => {
      const text = await files.text(`${at}/device/${field}`)
      return text === undefined ? {} : { [field]: text }
    }
    found.push({
      name,
      // Always in units of 512 bytes, whatever the disk's own are.
      bytes: size * 512,
      rotational: (await files.text(`${at}/queue/rotational`)) === '1',
      ...(await of('vendor')),
      ...(await of('model')),
      ...(await of('serial')),
    })
  }
  return found
}
