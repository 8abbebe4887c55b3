import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { BmcTask } from '../../ports/bmc.ts'
import type { Clock, Log } from '../../ports/index.ts'
import { type Expansion, expansionOf, membersOf } from './collection.ts'
import { type Connection, NewLogin } from './connection.ts'
import { Etags } from './etag.ts'
import { type Answer, asked, type Call } from './exchange.ts'
import { linkTo } from './link.ts'
import { isObjection, messagesOf, objectionsIn } from './messages.ts'
import { patched } from './patch.ts'
import type { Resource } from './read.ts'
import { isRefusal, refusalFor, refusalOf } from './refusal.ts'
import { jobBehind, taskAddress, taskOf } from './task.ts'

/** What was accepted; `task` is where to ask what becomes of it. */
export interface Accepted {
  readonly task?: string
  readonly body: unknown
}

/** Redfish as the roles use it: resources by path, safe to read, with every refusal as a fault. */
export class Service {
  readonly #connection: Connection
  readonly #etags = new Etags()
  #expansion: Expansion | undefined
  #verified: (() => Promise<void>) | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get clock(): Clock {
    return this.#connection.wire.clock
  }

  get log(): Log {
    return this.#connection.wire.log
  }

  get name(): string {
    return this.#connection.wire.name
  }

  get epoch(): number {
    return this.#connection.epoch
  }

  get inFlight(): number {
    return this.#connection.inFlight
  }

  allowInFlight(places: number): void {
    this.#connection.inFlight = places
  }

  /** Called before every change; throws where this is not the machine that was opened. */
  guardChanges(verified: () => Promise<void>): void {
    this.#verified = verified
  }

  async root(signal?: AbortSignal): Promise<Resource> {
    const call: Call = { verb: 'GET', path: '/redfish/v1/', ...cut(signal) }
    const root = this.#resource(call, await this.#connection.root(call))
    this.#connection.session.at(linkTo(root, 'Links', 'Sessions'))
    this.#expansion = expansionOf(root)
    return root
  }

  async get(path: string, signal?: AbortSignal): Promise<Resource> {
    const call: Call = { verb: 'GET', path, ...cut(signal) }
    const answer = await this.#connection.send(call)
    const resource = this.#resource(call, answer)
    this.#etags.keep(path, answer)
    return resource
  }

  /** Undefined where the service links something that it does not have. */
  async find(path: string, signal?: AbortSignal): Promise<Resource | undefined> {
    try {
      return await this.get(path, signal)
    } catch (error) {
      if (isRefusal(error, 'bmc/not-found', 'bmc/not-offered')) return undefined
      throw error
    }
  }

  /** All members of a collection as resources, over all its pages; `levels` asks for what they link, too, where the service offers it. */
  members(path: string, levels: 1 | 2, signal?: AbortSignal): Promise<readonly Resource[]> {
    return membersOf(this, path, this.#expansion, levels, signal)
  }

  links(path: string, signal?: AbortSignal): Promise<readonly string[]> {
    return membersOf(this, path, undefined, 'links', signal)
  }

  /** A service that announces expansion and then cannot do it is not asked again. */
  stopExpanding(): void {
    this.#expansion = undefined
  }

  patch(path: string, body: object, signal?: AbortSignal): Promise<Accepted> {
    const call: Call = { verb: 'PATCH', path, body, ...cut(signal) }
    return this.#change(call, () => patched(this.#connection, this.#etags, call))
  }

  /** Actions carry a body, always: some BMCs refuse one without. Never a tag: newer iDRACs refuse that. */
  post(path: string, body: object, signal?: AbortSignal): Promise<Accepted> {
    const call: Call = { verb: 'POST', path, body, ...cut(signal) }
    return this.#change(call, () => this.#connection.send(call))
  }

  upload(path: string, type: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Accepted> {
    const call: Call = { verb: 'POST', path, upload: { type, bytes }, ...cut(signal) }
    return this.#change(call, () => this.#connection.send(call))
  }

  async #change(call: Call, send: () => Promise<Answer>): Promise<Accepted> {
    await this.#verified?.()
    try {
      return this.#accepted(call, await send())
    } catch (error) {
      if (!(error instanceof NewLogin)) throw error
      await this.#verified?.()
      return this.#accepted(call, await send())
    }
  }

  /** Looks at a task; one that is not there any more is Gone, which says nothing of its outcome. */
  async task(address: string, signal?: AbortSignal): Promise<BmcTask> {
    const call: Call = { verb: 'GET', path: address, ...cut(signal) }
    const answer = await this.#connection.send(call)
    if (answer.status === 404 || answer.status === 410) return { state: 'Gone' }
    if (answer.status >= 300) throw this.#refused(call, answer)
    const job = jobBehind(answer.body)
    if (job === undefined || job === address) return this.#scrubbed(taskOf(answer))
    const next = await this.#connection.send({ ...call, path: job })
    if (next.status === 404 || next.status === 410) return { state: 'Gone' }
    if (next.status >= 300) throw this.#refused({ ...call, path: job }, next)
    return this.#scrubbed(taskOf(next))
  }

  #scrubbed(task: BmcTask): BmcTask {
    return task.message === undefined ? task : { ...task, message: this.#connection.wire.secrets.scrub(task.message) }
  }

  #resource(call: Call, answer: Answer): Resource {
    if (answer.status >= 300) throw this.#refused(call, answer)
    if (isObject(answer.body)) return answer.body
    throw new Fault('bmc/bad-answer', `${asked(this.#connection.wire, call)}: the answer is no resource`)
  }

  #accepted(call: Call, answer: Answer): Accepted {
    if (answer.status >= 300) throw this.#refused(call, answer)
    const objections = [
      ...messagesOf(answer.body)
        .filter(({ severity }) => severity === 'Critical')
        .filter(isObjection),
      ...objectionsIn(answer.body),
    ]
    if (objections.length > 0)
      throw refusalFor(asked(this.#connection.wire, call), answer.status, objections, this.#connection.wire.secrets.scrub)
    const task = taskAddress(answer)
    return { body: answer.body, ...(task === undefined ? {} : { task }) }
  }

  #refused(call: Call, answer: Answer): Fault {
    return refusalOf(asked(this.#connection.wire, call), answer.status, answer.body, this.#connection.wire.secrets.scrub)
  }
}

const cut = (signal: AbortSignal | undefined): { readonly signal?: AbortSignal } => (signal ? { signal } : {})
