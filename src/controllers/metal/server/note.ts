import type { Instant, Millis } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import type { BootMethod } from '../../../policy/boot/method.ts'
import type { BootNote, Seen, SeenConfiguration } from './seen.ts'

/** What is booted, how, and for whom. */
export interface BootOrder {
  readonly purpose: BootNote['purpose']
  readonly method: BootMethod
  readonly configuration: SeenConfiguration
  readonly because: string
  readonly life: Millis
  /** The virtual drive that its disc goes into. */
  readonly slot?: string
}

/** A note replaces the one before it: what only that one had is taken away. */
const blank = { asked: null, reset: null, ran: null, next: null, cycled: null, answered: null, standby: null, outcome: null, because: null }

export const newNote = ({ boot, us }: Seen, { purpose, method, configuration, life, slot }: BootOrder, now: Instant) => ({
  ...blank,
  // A status that was lost must not lead to a number, and to tickets, that were given out before.
  attempt: Math.max(boot?.attempt ?? 0, configuration.lastServed) + 1,
  purpose,
  method: method.name,
  configuration: {
    namespace: configuration.namespace,
    name: configuration.name,
    uid: configuration.uid,
    generation: configuration.generation,
  },
  slot: slot ?? null,
  step: 'Arming',
  serves: method.fetches,
  opened: printInstant(now),
  expires: printInstant(now + life),
  holder: us,
})

/** How a boot ended: nothing is served for it any more. */
export type Outcome =
  | 'Registered'
  | 'Started'
  | 'Installed'
  | 'Closed'
  | 'NoEvidence'
  | 'Interrupted'
  | 'SwitchedOff'
  | 'Superseded'
  | 'Voided'

export const ended = (outcome: Outcome, because: string, reset?: string) => ({
  boot: { step: 'Ended', serves: false, outcome, because, ...(reset === undefined ? {} : { reset }) },
})

export const isOpen = (boot: Seen['boot']): boot is NonNullable<Seen['boot']> => boot !== undefined && boot.step !== 'Ended'

/** Whether the last boot was one of this configuration. */
export const isOf = (boot: Seen['boot'], { uid }: Pick<SeenConfiguration, 'uid'>): boot is NonNullable<Seen['boot']> =>
  boot?.configuration?.uid === uid
