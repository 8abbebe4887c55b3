/** What an Agent says of how far it is. */
export interface AgentProgress {
  readonly approved: boolean
  readonly hasCluster: boolean
  readonly stage: string | undefined
  readonly info: string | undefined
  /** In the words of the assisted service. */
  readonly stateInfo: string | undefined
}

/** The same for whoever looks at the host; what waits for a person says so. */
export function agentWords({ approved, hasCluster, stage, info, stateInfo }: AgentProgress): {
  readonly reason: string
  readonly message: string
} {
  if (stage)
    return {
      reason: stage === 'Failed' ? 'InstallationFailed' : 'Installing',
      message: `its agent: ${[stage, info].filter(Boolean).join(', ')}`,
    }
  const more = stateInfo ? ` (${stateInfo})` : ''
  if (!approved) return { reason: 'WaitingForApproval', message: `its agent waits to be approved${more}` }
  if (!hasCluster) return { reason: 'WaitingForPerson', message: `its agent waits for somebody to say which cluster it joins${more}` }
  return { reason: 'WaitingForPerson', message: `its agent waits for its cluster to be installed${more}` }
}

/** The disk is being written: whoever breaks that off leaves half a system. */
export const isInstalling = (stage: string | undefined): boolean => stage !== undefined && stage !== '' && stage !== 'Failed'
