import { forbiddenKey, type Limits, refuseKey, tooDeep, tooManyKeys } from './limits.ts'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/**
 * Looks at JSON byte by byte and refuses what would be costly or dangerous to parse: too deep, too many keys, a key named `__proto__`.
 * It does not judge the syntax; that is the parser's job.
 */
export function scanJson(bytes: Uint8Array, limits: Limits): void {
  let depth = 0
  let keys = 0
  let start = 0
  let end = 0
  let escaped = false
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        start = i + 1
        escaped = false
        for (i++; i < bytes.length && bytes[i] !== quote; i++)
          if (bytes[i] === backslash) {
            escaped = true
            i++
          }
        end = i
        break
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > limits.depth) throw tooDeep('JSON', limits)
        break
      case 0x7d:
      case 0x5d:
        depth--
        break
      case colon:
        if (++keys > limits.keys) throw tooManyKeys('JSON', limits)
        if ((escaped || end - start === forbiddenKey.length) && keyAt(bytes, start, end, escaped) === forbiddenKey) throw refuseKey('JSON')
        break
    }
  }
}

export function keyAt(bytes: Uint8Array, start: number, end: number, escaped: boolean): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, end - start)).toString('utf8')
  if (!escaped) return raw
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return raw
  }
}
