import { expect, it } from 'vitest'
import { agentOf } from './agent-of.ts'

const agent = (name: string, created: string, ...macs: string[]) => ({ name, created, macs })

it('BM-01 an Agent is known by any of its addresses, however they are written; of several the newest is it', () => {
  const all = [
    agent('old', '2026-01-01', 'AA:BB:CC:00:00:01'),
    agent('new', '2026-02-01', 'ff', 'aa:bb:cc:00:00:01'),
    agent('other', '2026-03-01', '00'),
  ]
  expect(agentOf(all, ['aa:BB:cc:00:00:01'])?.name).toBe('new')
  expect(agentOf(all, ['11'])).toBeUndefined()
  expect(agentOf(all, [])).toBeUndefined()
})
