import { createHash } from 'node:crypto'
import { hours, type Millis, minutes } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock } from '../../ports/index.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Accounts lock after as few as three wrong logins, and some never forget one until a right one comes. */
const tries = 2
/** After the second refusal of the same credentials, the third, and every later one: four in a day. */
const pauses: readonly Millis[] = [minutes(10), hours(6), hours(24)]
const firstWait = minutes(1)
const longestWait = minutes(30)

/** Decides whether a login may be tried: the same credentials twice, then hardly ever again until they change. */
export class LoginGuard {
  readonly #clock: Clock
  readonly #name: string
  #tried: string | undefined
  #refusals = 0
  #wait: Millis = firstWait
  #until = 0
  #full = false

  constructor(clock: Clock, name: string) {
    this.#clock = clock
    this.#name = name
  }

  /** Throws where a try would bring the account nearer to its lock. */
  check(credentials: Credentials): void {
    const key = keyOf(credentials)
    if (key !== this.#tried) this.#forget(key)
    const left = this.#until - this.#clock.elapsed()
    if (left <= 0) return
    const minutesLeft = Math.ceil(left / 60_000)
    if (this.#full)
      throw new Fault(
        'bmc/session-limit',
        `Cannot log in to the BMC at ${this.#name}: it takes no more sessions; tried again in ${minutesLeft} min`,
        'backoff',
        {
          hint: 'End sessions that are not needed, or wait until they expire.',
        },
      )
    throw new Fault(
      'bmc/login-paused',
      `Cannot log in to the BMC at ${this.#name}: these credentials were refused ${this.#refusals} times; not tried for ${minutesLeft} min, so that the account is not locked`,
      'when-changed',
      { hint: 'Correct the user name and password of the BMC; new ones are tried at once.' },
    )
  }

  refused(credentials: Credentials): void {
    const key = keyOf(credentials)
    if (key !== this.#tried) this.#forget(key)
    this.#full = false
    if (++this.#refusals < tries) return
    this.#until = this.#clock.elapsed() + pauses[Math.min(this.#refusals - tries, pauses.length - 1)]!
  }

  /** The BMC has no room for a session, or throttles logins: asking more often makes it worse. */
  noRoom(): void {
    this.#full = true
    this.#until = this.#clock.elapsed() + this.#wait
    this.#wait = Math.min(this.#wait * 2, longestWait)
  }

  accepted(credentials: Credentials): void {
    if (this.#refusals > 0 || this.#full) this.#forget(keyOf(credentials))
  }

  #forget(key: string): void {
    this.#tried = key
    this.#refusals = 0
    this.#wait = firstWait
    this.#until = 0
    this.#full = false
  }
}

/** Tells credentials apart without keeping them. */
const keyOf = ({ username, password }: Credentials): string => createHash('sha256').update(`${username}\0${password}`).digest('hex')
