import type { Instant, Millis } from '../../core/duration.ts'

/** A long job of a BMC. How far it is follows from the time; what it comes to is set when it ends. */
export interface SimTask {
  readonly id: string
  readonly name: string
  readonly begun: Instant
  readonly takes: Millis
  readonly kind: 'update' | 'settings'
  /** `Pending` waits for a reset. */
  state: 'Running' | 'Pending' | 'Completed' | 'Exception'
  ended: Instant | undefined
  message: string
  /** A clean end that never comes. */
  stuck: boolean
  /** Where work went on under another number (Lenovo: OperationTransitionedToJob). */
  job: string | undefined
}

export function percentOf(task: SimTask, now: Instant): number {
  if (task.state === 'Completed') return 100
  if (task.state === 'Pending') return 0
  const through = Math.floor(((task.ended ?? now) - task.begun) * (100 / Math.max(1, task.takes)))
  return Math.max(0, Math.min(99, through))
}
