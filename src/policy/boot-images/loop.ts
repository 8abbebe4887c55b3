/** What was being done about a boot image when it was looked at last. */
export interface Before {
  readonly decision: string | undefined
  readonly target: string | undefined
  readonly written: number
}

/** So many times a value is put back; then whoever else wants it otherwise is named, and this one resource rests. */
export const patience = 3

/**
 * How often `target` has been written and undone, now that it is found undone. Counted where it was seen to hold, and where our write is
 * known to have been taken: a write that a crash may have swallowed is not somebody else's doing.
 */
export function undone({ decision, target, written }: Before, wanted: string, tookHold: boolean): number {
  if (target !== wanted) return 0
  return decision === 'Current' || decision === 'Paused' || (decision === 'Updating' && tookHold)
    ? written + (decision === 'Paused' ? 0 : 1)
    : written
}
