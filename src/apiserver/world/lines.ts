import { ApiError } from '../../api/status.ts'
import { rowKey } from './entry.ts'
import type { Draft, Entry } from './world.ts'

export interface Attempt {
  readonly resource: string
  readonly key: string
  readonly decide: (current: Entry | undefined) => Draft
  readonly resolve: (entry: Entry) => void
  readonly reject: (error: unknown) => void
}
export type Decided = Attempt & { readonly draft: Exclude<Draft, { readonly keep: Entry }> }

/** Writes stand in line per key: a second one decides only when the first is durable, on its result. */
export class WriteLines {
  /** A key is here while a write of it is under way, with the writes that wait for it. */
  readonly #lines = new Map<string, Attempt[]>()
  #decided: Decided[] = []
  readonly #current: (resource: string, key: string) => Entry | undefined
  readonly #refusal: () => ApiError | undefined

  constructor(current: (resource: string, key: string) => Entry | undefined, refusal: () => ApiError | undefined) {
    this.#current = current
    this.#refusal = refusal
  }

  /** True when the write is decided and waits for the next batch. */
  enter(attempt: Attempt): boolean {
    const line = this.#lines.get(rowKey(attempt.resource, attempt.key))
    if (!line) return this.#decide(attempt)
    line.push(attempt)
    return false
  }

  /** Everything decided so far: the next batch. */
  take(): readonly Decided[] {
    const batch = this.#decided
    this.#decided = []
    return batch
  }

  /** Called once per taken write, when it is visible or refused: the next in its line decides. */
  leave({ resource, key }: Attempt): void {
    const id = rowKey(resource, key)
    const line = this.#lines.get(id) ?? []
    for (let next = line.shift(); next; next = line.shift()) if (this.#decide(next)) return
    this.#lines.delete(id)
  }

  #decide(attempt: Attempt): boolean {
    const { resource, key } = attempt
    try {
      const refusal = this.#refusal()
      if (refusal) throw refusal
      const current = this.#current(resource, key)
      const draft = attempt.decide(current)
      if ('keep' in draft) {
        attempt.resolve(draft.keep)
        return false
      }
      if ('remove' in draft && !current) throw new ApiError('NotFound', `Cannot delete ${resource} ${key}: it is not there`)
      this.#decided.push({ ...attempt, draft })
    } catch (error) {
      attempt.reject(error)
      return false
    }
    const id = rowKey(resource, key)
    if (!this.#lines.has(id)) this.#lines.set(id, [])
    return true
  }
}
