import type { HttpResponse } from '../ports/index.ts'
import { refused } from './answers.ts'
import type { Attempt, Sought } from './attempts.ts'
import { addressesOf } from './attempts.ts'
import type { BootContext } from './context.ts'
import type { Facts, Server } from './kinds.ts'
import { readTicket } from './ticket.ts'

/** Why somebody may fetch something: the attempt, and whether user data is part of it. */
export interface Access {
  readonly attempt: Attempt
  readonly facts: Facts
  readonly userData: boolean
}
export type Asked = { readonly is: 'let in'; readonly access: Access } | { readonly is: 'refused'; readonly response: HttpResponse }

/** By ticket: proven by its signature, and good while the attempt that it names is open. */
export async function byTicket(context: BootContext, text: string): Promise<Asked> {
  const checked = readTicket(text, context.key)
  if (!checked.good) return refuse(context, undefined, checked.because)
  const sought = await context.attempts.ofTicket(checked.ticket)
  if (sought.is === 'closed') return refuse(context, sought.server, sought.because)
  return letIn(context, sought.attempt, !checked.ticket.withoutUserData)
}

/** Without a ticket, by the name that a machine gives itself: it may lie, so the address must fit as well. */
export async function byIdentity(context: BootContext, name: string, address: string): Promise<Asked> {
  return byWindow(context, await context.attempts.ofIdentity(name), address)
}

/**
 * The same for what a machine says about itself. Only one that is being discovered may begin with that: of another, who says something
 * has fetched something before, or comes from where the server is known to be.
 */
export async function byReport(context: BootContext, name: string, address: string): Promise<Asked> {
  const asked = await byIdentity(context, name, address)
  if (asked.is === 'refused') return asked
  const { attempt, facts } = asked.access
  const { server, boot } = attempt
  if (boot.purpose === 'Discovery' || addressesOf(server).includes(address) || boundTo(facts) === address) return asked
  return refuse(context, server, `${address} reports for it, and has fetched nothing`)
}

/** Without a ticket or a name: only an address that is known for a server says who asks. */
export const byAddress = (context: BootContext, address: string): Asked => byWindow(context, context.attempts.ofAddress(address), address)

/**
 * The window that our own power-on opened. An address that was known for the server before is enough; another one is bound to the
 * attempt by its first contact, unless it is known for another server, and gets no user data.
 */
function byWindow(context: BootContext, sought: Sought, address: string): Asked {
  if (sought.is === 'closed') return refuse(context, sought.server, sought.because)
  const { attempt } = sought
  const { server, boot } = attempt
  if (boot.step === 'Arming') return refuse(context, server, 'its boot was noted, but its power-on was not commanded yet')
  const known = addressesOf(server).includes(address)
  if (!known) {
    const bound = boundTo(context.evidence.of(attempt))
    if (bound !== undefined && bound !== address) return refuse(context, server, `${address} asks for what ${bound} asked for first`)
    if (context.attempts.at(address).length > 0) return refuse(context, server, `${address} belongs to another server`)
  }
  return letIn(context, attempt, known || context.allowUserDataByWindow)
}

const boundTo = ({ fetches }: Facts): string | undefined => fetches?.find(({ what }) => what === 'script' || what === 'uki')?.from

const letIn = (context: BootContext, attempt: Attempt, userData: boolean): Asked => ({
  is: 'let in',
  access: { attempt, facts: context.evidence.of(attempt), userData },
})

/** On record at ten, and whenever it has doubled: somebody who asks all day must not make us write all day. */
function countRefusal({ evidence, refusals }: BootContext, attempt: Attempt): void {
  const refused = refusals.during(`${attempt.configurationUID}/${attempt.number}`)
  if (refused % 10 !== 0 || !Number.isInteger(Math.log2(refused / 10))) return
  void evidence.note(attempt, facts => ({ ...facts, refused: Math.max(refused, facts.refused ?? 0) }))
}

export function refuse(context: BootContext, server: Server | undefined, because: string): Asked & { readonly is: 'refused' } {
  context.refusals.tell(server, because)
  const sought = server && context.attempts.of(server)
  if (sought?.is === 'open') countRefusal(context, sought.attempt)
  context.log.info('A request for a boot was refused', { because, ...(server ? { server: server.metadata.name } : {}) })
  return { is: 'refused', response: refused }
}
