import { isTrue } from '../../../core/condition.ts'
import type { Millis } from '../../../core/duration.ts'
import { type Plan, type StatusPatch, wait } from '../../../core/plan.ts'

/** Something outside is in its way: said on the host itself, for whoever asks why. */
export const awaits = (what: string, again: Millis, status: StatusPatch = {}): Plan<never> =>
  wait(`waits for ${what}`, again, { status: { ...status, conditions: [isTrue('Progressing', 'Waiting', `waits for ${what}`)] } })
