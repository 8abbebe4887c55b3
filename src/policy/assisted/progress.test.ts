import { expect, it } from 'vitest'
import { agentWords } from './progress.ts'

const waits = { approved: true, hasCluster: true, stage: undefined, info: undefined, stateInfo: undefined }

it.each([
  ['T-70 ZT-045 a wait for approval', { ...waits, approved: false }, 'WaitingForApproval', 'approved'],
  ['T-70 ZT-045 a wait for somebody to choose a cluster', { ...waits, hasCluster: false }, 'WaitingForPerson', 'which cluster'],
  ['T-70 in the words of the assisted service', { ...waits, stateInfo: 'not enough hosts' }, 'WaitingForPerson', 'not enough hosts'],
  ['an installation', { ...waits, stage: 'Writing image to disk', info: '40%' }, 'Installing', 'Writing image to disk, 40%'],
  ['a failure', { ...waits, stage: 'Failed' }, 'InstallationFailed', 'Failed'],
])('agentWords() tells of %s', (_, seen, reason, words) => {
  expect(agentWords(seen)).toMatchObject({ reason, message: expect.stringContaining(words) })
})
