const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Lower case, with dashes; undefined where it is no UUID, or one that boards are shipped with by the thousand. */
export function readUuid(text: string): string | undefined {
  const hex = text.toLowerCase().replace(/[^0-9a-f]/g, '')
  if (hex.length !== 32 || /^(0+|f+)$/.test(hex)) return undefined
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return shape.test(uuid) ? uuid : undefined
}

/** SMBIOS stores the first three groups with their bytes turned around, and not everybody turns them back. */
export function swapped(uuid: string): string {
  const [a = '', b = '', c = '', ...rest] = uuid.split('-')
  const turned = (group: string): string => (group.match(/../g) ?? []).reverse().join('')
  return [turned(a), turned(b), turned(c), ...rest].join('-')
}

/** Whether two texts name one machine: letter case, dashes and the byte order of the first groups do not count. */
export function sameUuid(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [readUuid(one), readUuid(other)]
  return a !== undefined && b !== undefined && (a === b || a === swapped(b))
}

/** One name for all the texts that name one machine, so that they can be looked up; undefined where it names none. */
export function machineName(text: string): string | undefined {
  const uuid = readUuid(text)
  if (uuid === undefined) return undefined
  const other = swapped(uuid)
  return uuid < other ? uuid : other
}
