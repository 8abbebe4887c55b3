/**
 * A bounded queue between a writer that never waits and one reader that may be slow.
 * The reader gets everything pending at once; past `limit` units the box overflows: it is emptied, `lastWord` is left in it, and it ends.
 */
export class Mailbox<T> implements AsyncIterable<readonly T[]> {
  #pending: T[] = []
  #size = 0
  #ended = false
  #wake: (() => void) | undefined
  readonly #limit: number
  readonly #lastWord: () => T
  readonly #onEnd: () => void

  constructor(limit: number, lastWord: () => T, onEnd: () => void) {
    this.#limit = limit
    this.#lastWord = lastWord
    this.#onEnd = onEnd
  }

  put(item: T, size: number): void {
    if (this.#ended) return
    this.#pending.push(item)
    this.#size += size
    if (this.#size > this.#limit) {
      this.#pending = [this.#lastWord()]
      this.end()
    }
    this.#wake?.()
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    try {
      for (;;) {
        if (this.#pending.length > 0) {
          const batch = this.#pending
          this.#pending = []
          this.#size = 0
          yield batch
        } else if (this.#ended) return
        else {
          await new Promise<void>(resolve => {
            this.#wake = resolve
          })
          this.#wake = undefined
        }
      }
    } finally {
      this.end()
    }
  }
}
