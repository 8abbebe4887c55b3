import { expect, it } from 'vitest'
import { stale } from './gen-crds.ts'

it('generated CRDs and pages are what the kinds say (run: node tools/gen-crds.ts)', async () => {
  expect(await stale()).toEqual([])
})
