import { Fault } from '../core/fault.ts'

/** A number as somebody typed it. */
export function numberOf(option: string, text: unknown, { least, most }: { readonly least: number; readonly most: number }): number {
  const number = Number(text)
  if (Number.isFinite(number) && number >= least && number <= most) return number
  throw new Fault('cli/number', `Cannot take "${String(text)}" for ${option}: it has to be a number from ${least} to ${most}`, 'never')
}
