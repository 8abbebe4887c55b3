import type { Answer } from './exchange.ts'
import { text } from './read.ts'

/** The tag to send back with a change: from the header, else from the resource; an empty one is none (seen on several BMCs). */
export function etagOf({ headers, body }: Answer): string | undefined {
  const tag = (headers['etag'] ?? text(body, '@odata.etag') ?? '').trim().replace(/-gzip(?="?$)/, '')
  return tag === '' || tag === '""' || tag === 'W/""' ? undefined : tag
}

/** `W/"x"` → `"x"`: some services give weak tags and compare strongly. */
export const strong = (tag: string): string | undefined => (tag.startsWith('W/') ? tag.slice(2) : undefined)

/** The few last tags by path; a BMC has few resources that are changed. */
export class Etags {
  readonly #tags = new Map<string, string>()

  keep(path: string, answer: Answer): void {
    const tag = etagOf(answer)
    this.#tags.delete(path)
    if (tag === undefined) return
    this.#tags.set(path, tag)
    const oldest = this.#tags.keys().next()
    if (this.#tags.size > 32 && !oldest.done) this.#tags.delete(oldest.value)
  }

  of(path: string): string | undefined {
    return this.#tags.get(path)
  }

  forget(path: string): void {
    this.#tags.delete(path)
  }
}
