import { type Condition, isFalse, isTrue, isUnknown } from '../../../core/condition.ts'
import { type Instant, minutes, seconds } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, type Happening, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import type { Seen, Verb } from './seen.ts'

/** What is said while something is still in a drive, or nothing is in the way of that. */
export const accepted = ({ image }: Pick<Seen, 'image'>, attached: Condition): readonly Condition[] => [
  image.problem === undefined ? isTrue('Accepted', 'Accepted', '') : isFalse('Accepted', 'Invalid', image.problem),
  attached,
]

export const refused = (reason: string, because: string): Plan<Verb> =>
  wait(because, minutes(5), { status: { conditions: [isFalse('Accepted', reason, because), isFalse('Attached', reason, because)] } })

/** Its deletion ends, whatever may be left: that is told, with the address and the place. */
export function goes({ image, host }: Seen, because: string): Plan<Verb> {
  const url = image.attached ?? image.begun?.url
  const where = image.controller ?? host?.order?.address.hostname ?? 'a management controller that nobody can name any more'
  const left: readonly Happening[] =
    url === undefined
      ? []
      : [{ type: 'Warning', reason: 'LeftBehind', message: `${url} may still be in a virtual drive of ${where}: ${because}` }]
  return act(because, [{ do: 'letGo' }], { events: left })
}

export const at = (now: Instant): StatusPatch => ({ lastReconciliation: printInstant(now) })
export const soon = seconds(5)
export const unsure = (because: string): Condition => isUnknown('Attached', 'UnderWay', because)
