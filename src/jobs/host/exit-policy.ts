import type { PodFailurePolicy } from '../../api/batch/job.ts'

/** What an exit code means: it is done, it counts against the limit, it does not count, or nothing is worth trying again. */
export type Verdict = 'done' | 'counts' | 'ignored' | 'hopeless'

/** As Kubernetes reads a podFailurePolicy; rules about conditions of pods fit nothing here. */
export function verdictOf(code: number, container: string, policy: PodFailurePolicy | undefined): Verdict {
  if (code === 0) return 'done'
  for (const { action, onExitCodes } of policy?.rules ?? []) {
    if (!onExitCodes || (onExitCodes.containerName !== undefined && onExitCodes.containerName !== container)) continue
    if (onExitCodes.values.includes(code) !== (onExitCodes.operator === 'In')) continue
    return action === 'FailJob' || action === 'FailIndex' ? 'hopeless' : action === 'Ignore' ? 'ignored' : 'counts'
  }
  return 'counts'
}
