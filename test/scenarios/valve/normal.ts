import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import { touched } from '../../../src/sim/faults/somebody.ts'

/** An object without what chance, time and detours leave on it. */
export function normal({ apiVersion, kind, metadata, ...rest }: KubeObject): unknown {
  const { name, namespace, labels, annotations, finalizers, deletionTimestamp } = metadata
  const kept = Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => key !== touched))
  const status = isObject(rest['status']) ? rest['status'] : {}
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as readonly Record<string, unknown>[]) : []
  const { phaseSince: _, observedGeneration, ...standing } = status
  return {
    ...rest,
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations: kept, finalizers, deleting: deletionTimestamp !== undefined },
    status: {
      ...standing,
      isObserved: observedGeneration === metadata.generation,
      conditions: conditions.filter(notWorn).map(({ type, status, reason, message }) => ({ type, status, reason, message })),
    },
  }
}

/** Only a fault leaves `Reconciled` behind; that it is over is the same as that there was none. */
const notWorn = ({ type, status }: Record<string, unknown>): boolean => type !== 'Reconciled' || status !== 'True'
