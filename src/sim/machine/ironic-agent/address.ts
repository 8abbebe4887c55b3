import type { Machine } from '../machine.ts'

/** From where this machine's system speaks, and where it is reached. */
export const addressOf = ({ name, number, site }: Machine): string =>
  site.world?.addressOf?.(name) ?? `10.99.${number >> 8}.${(number & 255) + 1}`
