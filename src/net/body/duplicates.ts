import { keyAt } from './scan.ts'

type Level = { readonly keys: Set<string>; last: string } | { index: number }

/** Paths of the fields that an object names twice (`spec.containers[0].image`), in order, each once. For JSON that has been parsed. */
export function duplicateFields(bytes: Uint8Array): string[] {
  const found = new Set<string>()
  const levels: Level[] = []
  let start = 0
  let end = 0
  let escaped = false
  for (let i = 0; i < bytes.length; i++) {
    const level = levels.at(-1)
    switch (bytes[i]) {
      case 0x22:
        start = i + 1
        escaped = false
        for (i++; i < bytes.length && bytes[i] !== 0x22; i++)
          if (bytes[i] === 0x5c) {
            escaped = true
            i++
          }
        end = i
        break
      case 0x7b:
        levels.push({ keys: new Set(), last: '' })
        break
      case 0x5b:
        levels.push({ index: 0 })
        break
      case 0x7d:
      case 0x5d:
        levels.pop()
        break
      case 0x2c:
        if (level && 'index' in level) level.index++
        break
      case 0x3a:
        if (!level || !('keys' in level)) break
        level.last = keyAt(bytes, start, end, escaped)
        if (level.keys.has(level.last)) found.add(pathOf(levels))
        level.keys.add(level.last)
        break
    }
  }
  return [...found]
}

function pathOf(levels: readonly Level[]): string {
  let path = ''
  for (const level of levels) path += 'index' in level ? `[${level.index}]` : path === '' ? level.last : `.${level.last}`
  return path
}
