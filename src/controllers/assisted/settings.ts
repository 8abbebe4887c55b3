import type { ConvergedFlow } from '../../policy/assisted/flow.ts'

export interface AssistedSettings {
  readonly convergedFlow: ConvergedFlow
  /** Mebibytes that a host must have: its root file system, the Ironic agent and the assisted one live in memory. */
  readonly leastMemory: number
}

export const usualAssisted: AssistedSettings = { convergedFlow: 'Auto', leastMemory: 4_096 }
