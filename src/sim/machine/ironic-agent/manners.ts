import type { Machine } from '../machine.ts'

/**
 * How the agents on a machine can go wrong: the Ironic one runs and never calls, fails the step that it is given, or hangs in the middle of
 * one; the assisted one ends with an error, crashes over and over, or is not started because of a condition.
 */
export type AgentManner = 'never calls' | 'fails a step' | 'hangs' | 'assisted exits' | 'assisted crashes' | 'assisted is skipped'

/** True at the moment when it happens; how often it still does is counted down. */
export function manners(machine: Machine, manner: AgentManner): boolean {
  const left = machine.agentManners?.[manner] ?? 0
  if (left > 0) machine.agentManners = { ...machine.agentManners, [manner]: left - 1 }
  return left > 0
}
