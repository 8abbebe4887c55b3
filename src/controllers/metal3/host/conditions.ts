import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
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
export function conditionsOf(phase: string, operational: string): readonly Condition[] {
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
      unmanaged ? 'Unmanaged' : phase === 'registering' ? 'Registering' : 'Managed',
    ),
    says('Progressing', doing !== undefined && !detached, detached ? 'Detached' : (doing ?? 'Resting')),
    says('AvailableForProvisioning', phase === 'available', phase === 'available' ? 'Available' : 'NotAvailable'),
    says('Provisioned', isProvisioned, isProvisioned ? 'Provisioned' : 'NotProvisioned'),
    says('Ready', isProvisioned && troubled === undefined, troubled ?? (isProvisioned ? 'Provisioned' : 'NotProvisioned')),
  ]
}
