import { seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { Breaker } from './breaker.ts'
import { type Answer, asked, type Call, exchange, type Wire } from './exchange.ts'
import { type Lane, lane } from './lane.ts'
import type { Credentials } from './login.ts'
import { refusalOf } from './refusal.ts'
import { Session } from './session.ts'

/** Carries authenticated calls to one BMC, one at a time, and knows when it is better not to call. */
export class Connection {
  readonly wire: Wire
  readonly session: Session
  readonly #breaker: Breaker
  readonly #lane: Lane = lane(1)
  #silences = 0

  constructor(wire: Wire, credentials: () => Promise<Credentials>) {
    this.wire = wire
    this.session = new Session(wire, credentials)
    this.#breaker = new Breaker(wire.clock)
  }

  get doubtful(): boolean {
    return this.#breaker.doubtful
  }

  /** Grows when somebody else may have taken this address: after a new login, and after silence. */
  get epoch(): number {
    return this.session.logins + this.#silences
  }

  get inFlight(): number {
    return this.#lane.places
  }

  /** Some BMCs have been seen to take up to four at once; the default is one. */
  set inFlight(places: number) {
    this.#lane.places = Math.min(Math.max(1, places), 4)
  }

  /** The service root is open to all. */
  async root(call: Call): Promise<Answer> {
    return this.#lane.through(() => this.#answered(call), call.signal)
  }

  async send(call: Call): Promise<Answer> {
    return this.#lane.through(() => this.#authenticated(call), call.signal)
  }

  async close(): Promise<void> {
    await this.#lane.through(() => this.session.end())
  }

  async #authenticated(call: Call): Promise<Answer> {
    this.#breaker.check(asked(this.wire, call))
    const pass = await this.#counted(() => this.session.pass(call.signal))
    const first = await this.#answered(withHeaders(call, pass.headers))
    if (first.status !== 401) return first
    const again = await this.#counted(() => this.session.renewed(pass, call.signal))
    const second = await this.#answered(withHeaders(call, again.headers))
    if (second.status === 401) {
      this.session.distrust(again)
      throw refusalOf(asked(this.wire, call), 401, undefined, this.wire.secrets.scrub)
    }
    return second
  }

  /** Reads are repeated once: over a connection that the BMC closed meanwhile (iLO resets kept ones), and after an error of its own. */
  async #answered(call: Call): Promise<Answer> {
    const repeat = call.verb === 'GET'
    let answer: Answer
    try {
      answer = await this.#counted(() => exchange(this.wire, call))
    } catch (error) {
      if (!repeat || !(error instanceof Fault) || error.code !== 'bmc/unreachable' || this.#breaker.resting) throw error
      answer = await this.#counted(() => exchange(this.wire, call))
    }
    if (answer.status === 406 && repeat)
      return this.#counted(() => exchange(this.wire, withHeaders(call, { 'accept-encoding': 'gzip, identity' })))
    if (!repeat || ![500, 502, 504].includes(answer.status)) return answer
    await this.wire.clock.sleep(seconds(1), call.signal)
    return this.#counted(() => exchange(this.wire, call))
  }

  async #counted<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask()
      this.#breaker.answered()
      return answer
    } catch (error) {
      if (error instanceof Fault && (error.code === 'bmc/no-answer' || error.code === 'bmc/unreachable')) {
        this.#silences++
        this.#breaker.silent(error)
      }
      throw error
    }
  }
}

const withHeaders = (call: Call, headers: Readonly<Record<string, string>>): Call => ({ ...call, headers: { ...call.headers, ...headers } })
