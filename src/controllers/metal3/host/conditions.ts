import { type Condition, isFalse, isTrue, isUnknown } from '../../../core/condition.ts'
import type { MachineHealth } from '../../../ports/bmc.ts'
import { none } from './phases.ts'

const progressing: Readonly<Record<string, string>> = {
  registering: 'Registering',
  inspecting: 'Inspecting',
  preparing: 'Preparing',
  provisioning: 'Provisioning',
  deprovisioning: 'Deprovisioning',
  'powering off before delete': 'PoweringOff',
  deleting: 'Deleting',
}

/** Metal3's conditions, as they follow from where a host stands and how it is. */
export function conditionsOf(phase: string, operational: string, givenUp?: string): readonly Condition[] {
  const unmanaged = phase === none || phase === 'unmanaged'
  const doing = progressing[phase]
  const isProvisioned = phase === 'provisioned' || phase === 'externally provisioned'
  const says = (type: string, holds: boolean, reason: string): Condition => (holds ? isTrue : isFalse)(type, reason, '')
  const detached = operational === 'detached'
  const troubled = operational === 'error' ? 'Error' : operational === 'servicing' ? 'Servicing' : detached ? 'Detached' : undefined
  return [
    says(
      'Manageable',
      !unmanaged && phase !== 'registering',
      unmanaged ? 'Unmanaged' : phase !== 'registering' ? 'Managed' : operational === 'error' ? 'RegistrationFailed' : 'Registering',
    ),
    says('Progressing', doing !== undefined && !detached, detached ? 'Detached' : (doing ?? 'Resting')),
    givenUp === undefined
      ? says('AvailableForProvisioning', phase === 'available', phase === 'available' ? 'Available' : 'NotAvailable')
      : isFalse('AvailableForProvisioning', 'TooManyFailures', givenUp),
    says('Provisioned', isProvisioned, isProvisioned ? 'Provisioned' : 'NotProvisioned'),
    says('Ready', isProvisioned && troubled === undefined, troubled ?? (isProvisioned ? 'Provisioned' : 'NotProvisioned')),
  ]
}

/** As its management controller says; while it says nothing, what it said last stands. */
export function healthSaid(health: MachineHealth | undefined, isKnown: boolean): readonly Condition[] {
  switch (health) {
    case undefined:
      return isKnown ? [] : [isUnknown('Healthy', 'Unknown', '')]
    case 'OK':
      return [isTrue('Healthy', 'Healthy', '')]
    case 'Warning':
      return [isFalse('Healthy', 'Warning', 'its management controller says that something needs attention')]
    case 'Critical':
      return [isFalse('Healthy', 'CriticalError', 'its management controller says that something is broken')]
    default:
      return health satisfies never
  }
}
