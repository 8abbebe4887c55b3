import { describe, expect, it } from 'vitest'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { decide } from './decide.ts'
import type { Seen, SeenServer } from './seen.ts'

const free: SeenServer = { name: 'srv-1', uid: 'u1', taken: 'free', available: true }
const ours: SeenServer = { ...free, taken: 'us', available: false }
const binding = { server: 'srv-1', serverUID: 'u1' }
const uki = { is: 'read', architecture: 'x86_64', architectures: ['x86_64'], roles: ['uki'] } as const

interface Given extends Partial<Omit<Seen, 'claim'>> {
  readonly claim?: Partial<Seen['claim']>
}
const seen = ({ claim, ...rest }: Given = {}): Seen => ({
  claim: {
    name: 'c1',
    deleting: false,
    image: 'os:uki',
    policy: effectivePolicy({ firstBoot: 'UefiHttp' }),
    serverRef: undefined,
    binding: undefined,
    installedBefore: false,
    ...claim,
  },
  server: free,
  match: { fits: true, server: 'srv-1' },
  image: uki,
  configuration: undefined,
  ...rest,
})
const bound = (rest: Given = {}): Seen =>
  seen({ server: ours, match: undefined, ...rest, claim: { binding, serverRef: 'srv-1', ...rest.claim } })
const verbs = (given: Seen): string[] => decide(given).actions.map(a => a.do)

describe('decide()', () => {
  const steps: readonly (readonly [reason: string, given: Seen, verbs: readonly string[], because: string])[] = [
    ['notes the server before it takes it', seen(), [], 'chooses server srv-1'],
    ['takes the server it noted', seen({ match: undefined, claim: { binding } }), ['take'], 'takes server srv-1'],
    ['names the server it has', bound({ claim: { serverRef: undefined } }), ['nameServer'], 'names server srv-1'],
    ['BP-056 makes the boot configuration', bound(), ['createConfiguration'], 'says what server srv-1 boots'],
    [
      'rests when all is done',
      bound({ configuration: { ours: true, provisioned: false, current: true }, image: undefined }),
      [],
      'has server srv-1',
    ],
    [
      'tells the configuration what changed before the first boot',
      bound({ configuration: { ours: true, provisioned: false, current: false } }),
      ['updateConfiguration'],
      'says anew',
    ],
    [
      'never touches a configuration of somebody else',
      bound({ configuration: { ours: false, provisioned: false, current: false } }),
      [],
      'belongs to somebody else',
    ],
    ['I5 waits for the server to let go when it is deleted', bound({ claim: { deleting: true } }), [], 'waits until server srv-1 is off'],
    ['goes when nothing refers to it', bound({ claim: { deleting: true }, server: { ...free } }), ['release'], 'nothing refers to it'],
  ]
  for (const [reason, given, expected, because] of steps) {
    it(reason, () => {
      expect(verbs(given)).toEqual(expected)
      expect(decide(given).because).toContain(because)
    })
  }

  it('I3 a server that somebody else took is given up, not fought for', () => {
    for (const server of [{ ...free, taken: 'other' as const }, { ...free, uid: 'another' }, { ...free, available: false }, undefined]) {
      const plan = decide(seen({ server, match: undefined, claim: { binding } }))
      expect(plan).toMatchObject({ actions: [], status: { binding: null, phase: 'Unbound' } })
    }
  })
  it('says how many servers stand in the way of what', () => {
    const because = '0 of 3 servers fit: 3 are claimed'
    const plan = decide(seen({ server: undefined, match: { fits: false, because, counts: new Map() } }))
    expect(plan).toMatchObject({ because, actions: [], status: { conditions: [{ type: 'Bound', status: 'False', message: because }] } })
  })
  it('BP-023 BP-026 BP-027 BP-028 an image without its artefact: a warning, a condition, and nothing is noted, taken or made', () => {
    for (const given of [
      seen({ image: { ...uki, roles: ['kernel', 'initramfs'] } }),
      bound({ image: { ...uki, roles: ['kernel', 'initramfs'] } }),
    ]) {
      const plan = decide(given)
      expect(plan.actions).toEqual([])
      expect(plan.status['binding']).toBeUndefined()
      expect(plan.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'ImageValid', status: 'False', reason: 'MissingArtifact' }),
      )
      expect(plan.events).toEqual([
        { type: 'Warning', reason: 'MissingArtifact', message: 'Cannot boot "os:uki" by UefiHttp: it needs uki; found kernel, initramfs' },
      ])
    }
  })
  it('an image that cannot be read is told with its reason, and looked at again', () => {
    const plan = decide(
      seen({ image: { is: 'unreadable', code: 'image/registry-unreachable', because: 'Cannot reach r.io: refused', mayRecover: true } }),
    )
    expect(plan).toMatchObject({ because: 'Cannot reach r.io: refused', again: 60_000, events: [{ reason: 'ImageRegistryUnreachable' }] })
  })
  it('T-22 a configuration that is made anew for an installed server comes with a warning', () => {
    expect(decide(bound({ claim: { installedBefore: true } })).events).toMatchObject([{ type: 'Warning', reason: 'InstalledAgain' }])
    expect(decide(bound()).events).toEqual([])
  })
  it('X-039 BP-036 a change after the installation reinstalls nothing, and says so', () => {
    const plan = decide(bound({ configuration: { ours: true, provisioned: true, current: false }, image: undefined }))
    expect(plan.actions).toEqual([])
    expect(plan.status.conditions).toContainEqual(expect.objectContaining({ type: 'Reprovision', status: 'True', reason: 'Required' }))
  })
})
