import { minutes, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock } from '../../ports/index.ts'

const patience = 3
const shortest = seconds(15)
const longest = minutes(5)

/**
 * Spares a BMC that does not answer, and everybody who would wait for it: after three silences in a row it is left alone for a while,
 * then asked by one caller only.
 */
export class Breaker {
  readonly #clock: Clock
  #silences = 0
  #rest = shortest
  #until = 0
  #last = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True from the first silence until the next answer. */
  get doubtful(): boolean {
    return this.#silences > 0
  }

  get resting(): boolean {
    return this.#silences >= patience
  }

  check(asked: string): void {
    if (this.#silences < patience) return
    const now = this.#clock.elapsed()
    if (now < this.#until) {
      const left = Math.ceil((this.#until - now) / 1_000)
      throw new Fault(
        'bmc/resting',
        `${asked}: it did not answer ${this.#silences} times, so it is left alone for ${left} s more (${this.#last})`,
      )
    }
    // One asks; the others see a rest that has just begun again.
    this.#until = now + this.#rest
  }

  answered(): void {
    this.#silences = 0
    this.#rest = shortest
  }

  silent(fault: Fault): void {
    this.#silences++
    this.#last = fault.message.slice(0, 160)
    if (this.#silences < patience) return
    this.#until = this.#clock.elapsed() + this.#rest
    this.#rest = Math.min(this.#rest * 2, longest)
  }
}
