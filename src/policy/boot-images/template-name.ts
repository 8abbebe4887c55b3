import { canonical } from '../../core/canonical.ts'

const longest = 63

/** A name that says what is in it: the same content is the same template, however often it is asked for. */
export function templateName(resource: string, spec: unknown): string {
  const hash = fnv(canonical(spec)).toString(16).padStart(8, '0')
  return `${resource.slice(0, longest - 9).replace(/[^a-z0-9]+$/, '')}-${hash}`
}

function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}
