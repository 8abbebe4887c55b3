import { keyAt } from './scan.ts'

/** An object whose keys are being read, or a list at some index. */
type Level = { readonly keys: Seen; start: number; end: number; escaped: boolean } | { index: number }

/** Paths of the fields that an object names twice (`spec.containers[0].image`), in order, each once. For JSON that has been parsed. */
export function duplicateFields(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  const levels: Level[] = []
  let start = 0
  let end = 0
  let escaped = false
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1)
    switch (text[i]) {
      case 0x22:
        start = i + 1
        escaped = false
        for (i++; i < text.length && text[i] !== 0x22; i++)
          if (text[i] === 0x5c) {
            escaped = true
            i++
          }
        end = i
        break
      case 0x7b:
        levels.push({ keys: new Seen(), start: 0, end: 0, escaped: false })
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
        if (!level || 'index' in level) break
        level.start = start
        level.end = end
        level.escaped = escaped
        // Bytes as they stand tell keys apart as well as their characters do, unless one is written with escapes.
        if (level.keys.again(escaped ? latin(keyAt(text, start, end, true)) : text.toString('latin1', start, end)))
          found.add(pathOf(text, levels))
        break
    }
  }
  return [...found]
}

const latin = (key: string): string => Buffer.from(key).toString('latin1')

/** Most objects have few keys, for which a list is quicker than a set; hostile ones have many. */
class Seen {
  readonly #few: string[] = []
  #many: Set<string> | undefined

  again(key: string): boolean {
    if (this.#many ? this.#many.has(key) : this.#few.includes(key)) return true
    if (this.#many) this.#many.add(key)
    else if (this.#few.push(key) > 16) this.#many = new Set(this.#few)
    return false
  }
}

function pathOf(text: Buffer, levels: readonly Level[]): string {
  let path = ''
  for (const level of levels) {
    if ('index' in level) path += `[${level.index}]`
    else path += `${path === '' ? '' : '.'}${keyAt(text, level.start, level.end, level.escaped)}`
  }
  return path
}
