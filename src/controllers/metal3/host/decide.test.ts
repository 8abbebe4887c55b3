import { expect, it } from 'vitest'
import { decide } from './decide.ts'
import type { Seen } from './seen.ts'

const available = {
  deleting: true,
  paused: false,
  hasCarried: false,
  standing: { phase: 'available', phaseSince: undefined },
  operational: 'OK',
}

it('T-01 I23 a host that is deleted switches nothing on a machine that somebody else has', () => {
  const seen = { host: available, owner: 'Server srv-1', problems: [], work: 'powerOff', turn: undefined } as unknown as Seen
  expect(decide(seen, 0).actions).toEqual([{ do: 'release' }])
})
it('and one whose machine is its own is switched off first', () => {
  const seen = { host: available, owner: undefined, problems: [], work: 'powerOff', turn: undefined } as unknown as Seen
  expect(decide(seen, 0).status).toMatchObject({ provisioning: { state: 'powering off before delete' } })
})
