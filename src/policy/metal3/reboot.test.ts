import { expect, it } from 'vitest'
import { rebootOf } from './reboot.ts'

it.each([
  [{}, undefined],
  [{ 'reboot.metal3.io': '' }, { mode: 'soft', force: false, held: false }],
  [{ 'reboot.metal3.io': '{"mode":"hard","force":true}' }, { mode: 'hard', force: true, held: false }],
  [{ 'reboot.metal3.io/remediation': '' }, { mode: 'soft', force: false, held: true }],
  [
    { 'reboot.metal3.io': '', 'reboot.metal3.io/a': '{"mode":"hard"}' },
    { mode: 'hard', force: false, held: true },
  ],
  [{ 'reboot.metal3.io': 'yes' }, { mode: 'soft', force: false, held: false }],
  [{ 'reboot.metal3.iota': '' }, undefined],
])('rebootOf(%j)', (annotations, expected) => expect(rebootOf(annotations as never)).toEqual(expected))
