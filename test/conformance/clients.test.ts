import { afterAll, beforeAll, describe } from 'vitest'
import { clientCases } from './clients.ts'
import { type Running, startRackwright } from './running.ts'

describe('somebody else’s clients', () => {
  let running: Running
  beforeAll(async () => {
    running = await startRackwright()
  })
  afterAll(() => running?.stop())
  clientCases('the embedded API', () => running.kubeconfig)
})
