import type { JsonObject } from '../../core/json.ts'

/** Follows from what the resource says, so that no BMC has to remember one. The time of day does not count. */
export function etagOf(resource: JsonObject, style: 'weak' | 'strong'): string {
  const text = JSON.stringify(resource, (key, value: unknown) => (key === 'DateTime' ? undefined : value))
  let [low, high] = [0x811c9dc5, 0x01000193]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ (code + i), 0x85ebca6b)
  }
  const tag = `"${(low >>> 0).toString(16).padStart(8, '0')}${(high >>> 0).toString(16).padStart(8, '0')}"`
  return style === 'weak' ? `W/${tag}` : tag
}

const strong = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/-gzip"$/, '"')

/** `*` fits anything; weak and strong forms of one tag are the same here. */
export const fits = (header: string, etag: string): boolean =>
  header.split(',').some(one => one.trim() === '*' || strong(one) === strong(etag))
