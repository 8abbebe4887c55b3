import { type Condition, isFalse } from '../../../core/condition.ts'
import type { Seen } from './seen.ts'

/** Takes back a condition that stands; says nothing where it was never raised, so that a healthy server's status stays short. */
export const settled = ({ server }: Seen, type: string, reason: string): readonly Condition[] =>
  server.stands[type] !== undefined && server.stands[type].status !== 'False' ? [isFalse(type, reason, '')] : []

export const stands = ({ server }: Seen, type: string): boolean => server.stands[type]?.status === 'True'
