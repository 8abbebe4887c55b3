import type { BootAttempt, BootTickets } from '../ports/boot-artifacts.ts'
import type { Attempt } from './attempts.ts'
import { fileName } from './file-name.ts'
import { printTicket, type Ticket } from './ticket.ts'

export interface TicketMaker {
  readonly key: Uint8Array
  readonly baseUrl: string
}

/** Everything that one attempt may fetch or post lies under this. */
export const ticketUrl = ({ key, baseUrl }: TicketMaker, attempt: Attempt, limits: Pick<Ticket, 'withoutUserData'>): string => {
  const { serverUID, configurationUID, generation, number, expires } = attempt
  return `${baseUrl}/boot/${printTicket({ serverUID, configurationUID, generation, attempt: number, expires, ...limits }, key)}`
}

/** The addresses that controllers give to BMCs. The ticket is part of the path: firmware looks at the end of the address, and some BMCs drop queries. */
export const bootTickets = ({ key, baseUrl }: TicketMaker): BootTickets => ({
  bootUri: (attempt: BootAttempt, artifact, image) => `${baseUrl}/boot/${printTicket(attempt, key)}/${fileName(artifact.role, image)}`,
  mediaUri: (attempt: BootAttempt, image) => `${baseUrl}/boot/${printTicket(attempt, key)}/${fileName('iso', image)}`,
})
