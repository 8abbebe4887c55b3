import { withoutTicket } from './ticket.ts'

/** A path as it may stand in a log: tickets are keys, and so is the address of an image of a host, whose Ignition holds secrets. */
export const withoutKeys = (path: string): string => withoutTicket(path).replace(/[0-9a-f]{32}-[0-9a-f]{32}/g, '<image>')
