import { idle, type Plan } from '../../../core/plan.ts'
import { nextBoot } from '../../../policy/boot/next-boot.ts'
import { open } from './attempt.ts'
import { freeSlot, noDrive } from './media.ts'
import type { BootOrder } from './note.ts'
import type { Seen, SeenConfiguration } from './seen.ts'
import { attemptLife } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Opens the boot that the policy says. */
export function boots(seen: Seen, configuration: SeenConfiguration, now: number, more: readonly Verb[] = []): Plan<Verb> {
  const next = nextBoot({ is: 'claim', policy: configuration.policy, provisioned: configuration.provisioned })
  if (next.is === 'hold') return idle(next.because)
  // The claim has changed its mind, and its configuration has not followed yet, or cannot: what nobody wants any more is not installed.
  if (next.first && seen.claim !== undefined && seen.claim.image !== configuration.image)
    return idle(`waits for its configuration: the claim wants ${seen.claim.image ?? 'another image'} installed, not ${configuration.image}`)
  if (next.method.fetches && configuration.state !== 'Ready') return idle(configuration.problem ?? 'waits for its image')
  return begin(seen, { purpose: 'Claim', method: next.method, configuration, because: next.because, life: attemptLife }, now, more)
}

/** Opens a boot; one from a disc first needs a drive to put it into. */
export function begin(seen: Seen, order: BootOrder, now: number, more: readonly Verb[] = []): Plan<Verb> {
  if (order.method.name !== 'VirtualMedia' || seen.machine.is !== 'there') return open(seen, order, now, more)
  if (order.configuration.external) return idle('a disc comes from a boot server of ours, and another one serves here: it is not booted')
  const found = freeSlot(seen.machine)
  return 'slot' in found ? open(seen, { ...order, slot: found.slot }, now, more) : noDrive(found.because)
}
