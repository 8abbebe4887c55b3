import { describe, expect, it } from 'vitest'
import { serverStates } from '../../../api/metal/server.ts'
import { flaws } from '../../../core/machine-walk.ts'
import { lifecycle } from './lifecycle.ts'

const phases = Object.keys(lifecycle.phases)
const exitsOf = (phase: string): readonly string[] => Object.keys(lifecycle.phases[phase as keyof typeof lifecycle.phases].exits)

/** Every phase that can be reached from one, step by step. */
function reachedFrom(phase: string): ReadonlySet<string> {
  const reached = new Set([phase])
  for (const one of reached) for (const to of exitsOf(one)) reached.add(to)
  return reached
}

describe('the lifecycle of a server', () => {
  it('has no phase that nobody reaches or leaves', () => expect(flaws(lifecycle as never)).toEqual([]))
  it('knows only states that the API knows', () =>
    expect(phases.filter(phase => !(serverStates as readonly string[]).includes(phase))).toEqual([]))
  for (const phase of phases)
    it(`leads from ${phase} back to where it can be claimed`, () => expect(reachedFrom(phase)).toContain('Available'))
  it('I4 leads from Reserved to Discovery only by way of its release or of somebody who works on it', () => {
    const ways = new Set(['Reserved'])
    for (const one of ways) for (const to of exitsOf(one)) if (!['Released', 'Error', 'Maintenance', 'Parked'].includes(to)) ways.add(to)
    expect(ways).not.toContain('Discovery')
  })
  it('I5 leads from Reserved to Available only through Released', () => {
    expect(exitsOf('Reserved')).not.toContain('Available')
    expect(exitsOf('Reserved')).toContain('Released')
  })
  it('can be set aside from every phase in which a machine is touched', () => {
    for (const phase of ['Initial', 'Discovery', 'Available', 'Reserved']) expect(exitsOf(phase)).toContain('Error')
  })
})
