import type { Cause } from '../../api/status.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { builtin } from './kinds.ts'

export const coordinationKinds = (): readonly Resource[] => [
  builtin({ group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true, validate: leaseRules }),
]

function leaseRules(object: KubeObject): Cause[] {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const causes: Cause[] = []
  const duration = spec['leaseDurationSeconds']
  if (typeof duration === 'number' && duration <= 0)
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${duration}: must be greater than 0`,
      field: 'spec.leaseDurationSeconds',
    })
  const transitions = spec['leaseTransitions']
  if (typeof transitions === 'number' && transitions < 0)
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${transitions}: must be greater than or equal to 0`,
      field: 'spec.leaseTransitions',
    })
  return causes
}
