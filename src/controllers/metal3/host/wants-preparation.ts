import type { Seen } from './seen.ts'

/** Why a host that is available is prepared once more; undefined where it need not be. */
type Question = (seen: Seen) => string | undefined

/** What is wanted was checked, and is not so. */
const firmware: Question = seen => (seen.firmware.due ? 'its firmware is not as it is wanted' : undefined)

const raid: Question = ({ order }) => (order?.raid === undefined ? undefined : 'other RAID volumes are wanted')

const questions: readonly Question[] = [firmware, raid]

/** The first thing that is to be prepared, in words. */
export function wantsPreparation(seen: Seen): string | undefined {
  for (const question of questions) {
    const because = question(seen)
    if (because !== undefined) return because
  }
  return undefined
}
