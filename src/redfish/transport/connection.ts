import { seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { Breaker } from './breaker.ts'
import { type Answer, asked, type Call, exchange, type Wire } from './exchange.ts'
import { type Lane, lane } from './lane.ts'
import type { Credentials } from './login.ts'
import { refusalOf } from './refusal.ts'
import { type Pass, Session } from './session.ts'

/** Said in place of repeating a change after a new login: whoever asked must first see that this is still the same machine. */
export class NewLogin extends Error {}

/** Carries authenticated calls to one BMC, one at a time, and knows when it is better not to call. */
export class Connection {
  readonly wire: Wire
  readonly session: Session
  readonly #breaker: Breaker
  readonly #lane: Lane = lane(1)
  #silences = 0
  /** A pass that was made after a refusal and has not been accepted yet. */
  #fresh: Pass | undefined

  constructor(wire: Wire, credentials: () => Promise<Credentials>) {
    this.wire = wire
    this.#breaker = new Breaker(wire.clock)
    this.session = new Session(wire, credentials, call => this.#counted(call))
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
    return this.#lane.through(() => {
      this.#breaker.check(asked(this.wire, call))
      return this.#answered(call)
    }, call.signal)
  }

  async send(call: Call): Promise<Answer> {
    return this.#lane.through(() => this.#authenticated(call), call.signal)
  }

  async close(): Promise<void> {
    await this.#lane.through(() => this.session.end())
  }

  async #authenticated(call: Call): Promise<Answer> {
    this.#breaker.check(asked(this.wire, call))
    const pass = await this.session.pass(call.signal)
    const answer = await this.#answered(withHeaders(call, pass.headers))
    if (answer.status !== 401) {
      if (this.#fresh === pass) this.#fresh = undefined
      this.session.accepted(pass)
      return answer
    }
    if (this.#fresh === pass) {
      this.#fresh = undefined
      this.session.distrust(pass)
      throw refusalOf(asked(this.wire, call), 401, undefined, this.wire.secrets.scrub)
    }
    this.#fresh = await this.session.renewed(pass, call.signal)
    if (call.verb !== 'GET') throw new NewLogin('the BMC wanted a new login before a change')
    return this.#authenticated(call)
  }

  /** Reads are repeated once: over a connection that the BMC closed meanwhile (iLO resets kept ones), and after an error of its own. */
  async #answered(call: Call): Promise<Answer> {
    if (call.verb !== 'GET') return this.#counted(call)
    const answer = await this.#readTwice(call)
    if (answer.status === 406) return this.#counted(withHeaders(call, { 'accept-encoding': 'gzip, identity' }))
    if (![500, 502, 504].includes(answer.status)) return answer
    await this.wire.clock.sleep(seconds(1), call.signal)
    return this.#counted(call)
  }

  async #readTwice(call: Call): Promise<Answer> {
    try {
      return await this.#counted(call)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'bmc/unreachable' || this.#breaker.resting) throw error
      return this.#counted(call)
    }
  }

  async #counted(call: Call): Promise<Answer> {
    try {
      const answer = await exchange(this.wire, call)
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
