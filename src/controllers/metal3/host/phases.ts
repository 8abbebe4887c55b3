import type { BareMetalHost } from '../resources.ts'
import type { SeenHost } from './seen.ts'

/** A phase's name where Metal3 has none for it. */
export const none = 'none'

type State = NonNullable<NonNullable<BareMetalHost['status']>['provisioning']>['state']

/** Two states of old are read as what they are called now. */
export const phaseOf = (state: State | undefined): string =>
  state === undefined || state === '' ? none : state === 'ready' ? 'available' : state === 'match profile' ? 'preparing' : state

/** Where a host rests: its power is kept as wanted, and it may be detached. */
const rests = (phase: string | undefined): boolean => ['available', 'provisioned', 'externally provisioned'].includes(phase ?? '')

/** Work under way is finished first, unless whoever detaches it forces that. */
export const isLeftAlone = ({ detached, standing }: Pick<SeenHost, 'detached' | 'standing'>): boolean =>
  detached !== undefined && (rests(standing.phase) || (detached.force && !['none', 'unmanaged', 'deleting'].includes(standing.phase ?? '')))
