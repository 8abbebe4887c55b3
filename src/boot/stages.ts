import { type Millis, minutes } from '../core/duration.ts'
import type { Access } from './access.ts'
import type { BootContext } from './context.ts'
import type { What } from './kinds.ts'

/** A whole fetch this long ago was another boot: firmware that asks twice does it at once. */
const sameBoot: Millis = minutes(1)

/**
 * Why this is not served, though the attempt is open: install artefacts are for its first boot alone. Otherwise a machine that
 * reboots from the network, because its BIOS order is wrong, would be installed again.
 */
export function secondBoot(context: BootContext, { attempt, facts }: Access, what: What): string | undefined {
  // A medium is read for as long as the system runs from it; it is ejected, not refused.
  if (what === 'iso') return undefined
  if (!attempt.boot.serves) return 'the system that this boot starts has been seen already'
  // BMCs read a medium in small pieces, some of them again and again.
  if (attempt.boot.method === 'VirtualMedia') return undefined
  const [report] = facts.reports ?? []
  if (report) return `the booted system has reported "${report.state}" already`
  // A live system fetches its root and its configuration in any order.
  if (what !== 'squashfs' && facts.fetches?.some(fetch => fetch.what === 'ignition'))
    return 'its system has fetched its configuration already'
  const whole = what === 'script' ? 'kernel' : what
  const age = context.ages.of(attempt, facts, whole)
  if (age !== undefined && age > sameBoot)
    return `the ${whole} was served whole ${Math.round(age / 1_000)} seconds ago: this is another boot`
  return undefined
}
