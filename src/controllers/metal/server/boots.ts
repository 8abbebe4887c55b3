import { idle, type Plan } from '../../../core/plan.ts'
import { nextBoot } from '../../../policy/boot/next-boot.ts'
import { open } from './attempt.ts'
import type { Seen, SeenConfiguration } from './seen.ts'
import { attemptLife } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Opens the boot that the policy says. */
export function boots(seen: Seen, configuration: SeenConfiguration, now: number, more: readonly Verb[] = []): Plan<Verb> {
  const next = nextBoot({ is: 'claim', policy: configuration.policy, provisioned: configuration.provisioned })
  if (next.is === 'hold') return idle(next.because)
  if (next.method.name === 'VirtualMedia') return idle('booting from virtual media is not built yet')
  if (next.method.fetches && configuration.state !== 'Ready') return idle(configuration.problem ?? 'waits for its image')
  return open(seen, { purpose: 'Claim', method: next.method, configuration, because: next.because, life: attemptLife }, now, more)
}
