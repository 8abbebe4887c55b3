import { expect, it } from 'vitest'
import { staleLifecycles } from './gen-lifecycles.ts'

it('generated lifecycles are what the tables say (run: node tools/gen-lifecycles.ts)', async () => {
  expect(await staleLifecycles()).toEqual([])
})
