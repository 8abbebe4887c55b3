import { afterAll, beforeAll, describe } from 'vitest'
import { clientNodeCases } from './client-node.ts'
import { clientCases } from './clients.ts'
import { type Running, startRackwright } from './running.ts'
import { kubectlCases } from './with-kubectl.ts'

describe('somebody else’s clients', () => {
  let running: Running
  beforeAll(async () => {
    running = await startRackwright()
  })
  afterAll(() => running?.stop())
  clientCases('the embedded API', () => running.kubeconfig)
  clientNodeCases('the embedded API', () => running.kubeconfig)
  kubectlCases('the embedded API', () => running.kubeconfig)
})
