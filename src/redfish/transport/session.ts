import { Fault } from '../../core/fault.ts'
import { type Answer, asked, type Call, type Wire } from './exchange.ts'
import { idOf, isBelow, pathOfLocation } from './link.ts'
import { type Credentials, LoginGuard } from './login.ts'
import { refusalOf } from './refusal.ts'

/** How a request shows who we are. */
export interface Pass {
  readonly headers: Readonly<Record<string, string>>
  /** The session's own path; undefined with basic authentication. */
  readonly session?: string
  readonly credentials: Credentials
}

const mostAbandoned = 8

/** One session per BMC, shared by all requests, made anew when the BMC forgets it, and ended when nobody needs it any more. */
export class Session {
  readonly #wire: Pick<Wire, 'clock' | 'log' | 'secrets' | 'name'>
  readonly #ask: (call: Call) => Promise<Answer>
  readonly #credentials: () => Promise<Credentials>
  readonly #guard: LoginGuard
  #sessions: string | undefined
  #pass: Pass | undefined
  #coming: Promise<Pass> | undefined
  #ended = false
  /** Sessions that could not be ended when they were given up: the BMC may still count them. */
  readonly #abandoned: Pass[] = []
  /** How often a login was accepted. A new session may speak to another machine at the same address. */
  logins = 0

  constructor(
    wire: Pick<Wire, 'clock' | 'log' | 'secrets' | 'name'>,
    credentials: () => Promise<Credentials>,
    ask: (call: Call) => Promise<Answer>,
  ) {
    this.#wire = wire
    this.#ask = ask
    this.#credentials = credentials
    this.#guard = new LoginGuard(wire.clock, wire.name)
  }

  /** Where sessions are made, as the service root links it; undefined means basic authentication. */
  at(sessions: string | undefined): void {
    this.#sessions = sessions
  }

  async pass(signal?: AbortSignal): Promise<Pass> {
    return this.#pass ?? this.#login(undefined, signal)
  }

  /** After a 401: another pass than the one that was refused, or a fault. */
  async renewed(stale: Pass, signal?: AbortSignal): Promise<Pass> {
    if (this.#pass && this.#pass !== stale) return this.#pass
    if (stale.session === undefined) {
      this.#pass = undefined
      this.#guard.refused(stale.credentials)
      const now = await this.#credentials()
      if (now.username === stale.credentials.username && now.password === stale.credentials.password)
        throw refusalOf(`Cannot log in to the BMC at ${this.#wire.name}`, 401, undefined, words => words)
    }
    return this.#login(stale, signal)
  }

  /** A session that was made and is refused again is not believed a second time. */
  distrust(pass: Pass): void {
    if (this.#pass === pass) this.#pass = undefined
    this.#abandon(pass)
    this.#guard.refused(pass.credentials)
  }

  /** With basic authentication every answer tells whether the credentials are right. */
  accepted(pass: Pass): void {
    if (pass.session === undefined) this.#guard.accepted(pass.credentials)
  }

  /** For good: what still waits for its turn does not log in again, with credentials that may be old by now. */
  async end(): Promise<void> {
    this.#ended = true
    const pass = await (this.#coming ?? Promise.resolve(this.#pass)).catch(() => undefined)
    this.#pass = undefined
    for (const old of this.#abandoned.splice(0)) await this.#remove(old, pass ?? old)
    if (pass) await this.#remove(pass, pass)
  }

  #login(stale: Pass | undefined, signal: AbortSignal | undefined): Promise<Pass> {
    this.#coming ??= this.#enter(stale, signal).finally(() => {
      this.#coming = undefined
    })
    return this.#coming
  }

  async #enter(stale: Pass | undefined, signal: AbortSignal | undefined): Promise<Pass> {
    if (this.#ended) throw new Fault('bmc/closed', `Cannot log in to the BMC at ${this.#wire.name}: this connection was ended`)
    const credentials = await this.#credentials()
    this.#guard.check(credentials)
    const basic = `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`
    this.#wire.secrets.keep(credentials.password, basic.slice(6))
    const pass = (await this.#session(credentials, signal)) ?? { headers: { authorization: basic }, credentials }
    this.logins++
    this.#pass = pass
    // What was refused may live on in the BMC's list, which is short.
    if (stale) this.#abandon(stale)
    for (const old of this.#abandoned.splice(0)) if (old.session !== pass.session && !(await this.#remove(old, pass))) this.#abandon(old)
    return pass
  }

  /** Undefined where this service makes no sessions. */
  async #session(credentials: Credentials, signal: AbortSignal | undefined): Promise<Pass | undefined> {
    if (this.#sessions === undefined) return undefined
    const call: Call = {
      verb: 'POST',
      path: this.#sessions,
      body: { UserName: credentials.username, Password: credentials.password },
      ...(signal ? { signal } : {}),
    }
    const answer = await this.#ask(call)
    if (answer.status >= 300) return this.#turnedAway(credentials, answer)
    this.#guard.accepted(credentials)
    const token = answer.headers['x-auth-token']
    if (token === undefined || token === '') return undefined
    this.#wire.secrets.keep(token)
    const session = pathOfLocation(answer.headers['location']) ?? idOf(answer.body)
    const own = session !== undefined && isBelow(session, this.#sessions) ? { session } : {}
    return { headers: { 'x-auth-token': token }, credentials, ...own }
  }

  #turnedAway(credentials: Credentials, answer: Answer): undefined {
    if (answer.status === 404 || answer.status === 405 || answer.status === 501) {
      this.#sessions = undefined
      return undefined
    }
    const refusal = refusalOf(`Cannot log in to the BMC at ${this.#wire.name}`, answer.status, answer.body, this.#wire.secrets.scrub)
    if (refusal.code === 'bmc/session-limit' || answer.status === 503 || answer.status === 429) {
      this.#guard.noRoom()
      throw new Fault('bmc/session-limit', refusal.message, 'backoff', {
        hint: 'All sessions of the BMC are taken, or it throttles logins.',
      })
    }
    if (answer.status >= 500) throw refusal
    this.#guard.refused(credentials)
    throw new Fault('bmc/unauthorized', refusal.message, 'when-changed', { hint: 'Check the user name and password of the BMC.' })
  }

  #abandon(pass: Pass): void {
    if (pass.session !== undefined && this.#abandoned.length < mostAbandoned) this.#abandoned.push(pass)
  }

  /** Best effort: what fails here is tried at the next login, or expires by itself. True where the session is gone. */
  async #remove({ session }: Pass, by: Pass): Promise<boolean> {
    if (session === undefined) return true
    const call: Call = { verb: 'DELETE', path: session, headers: by.headers }
    try {
      const { status } = await this.#ask(call)
      return status < 300 || status === 404
    } catch (error) {
      this.#wire.log.debug('a session of a BMC could not be ended', {
        bmc: this.#wire.name,
        tried: asked(this.#wire, call),
        error: String(error),
      })
      return false
    }
  }
}
