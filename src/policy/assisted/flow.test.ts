import { describe, expect, it } from 'vitest'
import { type FlowSeen, flowOf, isSince } from './flow.ts'

const at = (baremetal: string | undefined): FlowSeen => ({ setting: 'Auto', operators: { are: 'there', baremetal }, builds: true })
const without = (builds: boolean): FlowSeen => ({ setting: 'Auto', operators: { are: 'none' }, builds })

describe('flowOf()', () => {
  it.each([
    ['ZT-033 ZT-056 an operator of the hub that is new enough', at('4.12.0-0.alpha'), 'converged'],
    ['ZT-033 a newer one', at('4.16.3'), 'converged'],
    ['ZT-033 one that is too old', at('4.11.59'), 'live-iso'],
    ['ZT-033 one that does not say its version', at(undefined), 'live-iso'],
    ['ZT-033 one whose version is none', at('soon'), 'live-iso'],
    ['without any operator it is up to our own image customisation', without(true), 'converged'],
    ['ZT-056 and not used where nobody builds images', without(false), 'live-iso'],
    ['ZT-034 On is somebody’s choice', { ...at('4.10.0'), setting: 'On' }, 'converged'],
    ['ZT-034 ZT-053 and so is Off', { ...at('4.16.0'), setting: 'Off' }, 'live-iso'],
  ] as const)('%s', (_, seen, wanted) => expect(flowOf(seen).is).toBe(wanted))
  it('ZT-033 says which version there is, and which is needed', () => {
    expect(flowOf(at('4.11.59'))).toMatchObject({ reason: 'VersionTooOld', because: expect.stringMatching(/4\.11\.59.*4\.12\.0-0\.alpha/) })
  })
})

it.each([
  ['4.12.0', '4.12.0-0.alpha', true],
  ['4.12.0-0.alpha', '4.12.0-0.alpha', true],
  ['4.12.0-0.nightly-2022', '4.12.0-0.alpha', true],
  ['4.12.0-0', '4.12.0-0.alpha', false],
  ['4.12.0-ec.1', '4.12.0-0.alpha', true],
  ['4.9.0', '4.12.0-0.alpha', false],
  ['5.0.0-0.alpha', '4.12.0-0.alpha', true],
])('isSince() finds %s since %s: %s', (version, wanted, is) => expect(isSince(version, wanted)).toBe(is))
