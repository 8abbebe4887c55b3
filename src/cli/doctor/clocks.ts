import { type Instant, minutes } from '../../core/duration.ts'
import { span } from '../output/age.ts'
import { type Finding, well, wrong } from './finding.ts'

/** Certificates, tickets and logs only make sense where clocks agree. */
export function clocksAgree(whose: string, theirs: Instant | undefined, ours: Instant): Finding | undefined {
  if (theirs === undefined) return undefined
  const apart = Math.abs(theirs - ours)
  return apart <= minutes(5)
    ? well(`clock of ${whose}`, `is ${span(apart)} apart from ours`)
    : wrong(
        `clock of ${whose}`,
        `is ${span(apart)} ${theirs < ours ? 'behind' : 'ahead of'} ours`,
        'set its time, or let it ask an NTP server',
      )
}
