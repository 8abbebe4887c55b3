import { expect, it } from 'vitest'
import { flaws, toMermaid } from '../../../core/machine-walk.ts'
import { lifecycle } from './lifecycle.ts'

it('X-028 every phase of a host is reached, and left', () => {
  expect(flaws(lifecycle as never)).toEqual([])
})
it('is drawn with names of one word each', () => {
  expect(toMermaid(lifecycle as never)).toContain('state "powering off before delete" as powering_off_before_delete')
})
