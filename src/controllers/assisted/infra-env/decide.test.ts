import { describe, expect, it } from 'vitest'
import { Fault } from '../../../core/fault.ts'
import { decide } from './decide.ts'
import type { Seen } from './seen.ts'

const ready = { is: 'ready', ignition: 'https://boot/d?v=1', iso: 'https://boot/i', network: undefined, without: undefined } as const
const seen = (more: Partial<Seen> = {}): Seen => ({
  deleting: false,
  isHeld: true,
  theirs: undefined,
  rendered: ready,
  standing: { ignition: undefined, created: undefined },
  unused: [],
  hasSecret: false,
  ...more,
})
const verbs = (more: Partial<Seen>) => decide(seen(more), 0).actions.map(action => action.do)
const now = Date.parse('2026-11-17T08:00:00Z')

describe('an InfraEnv', () => {
  it('is held before anything is served for it, and freed when it goes', () => {
    expect(verbs({ isHeld: false, rendered: undefined })).toEqual(['hold'])
    expect(verbs({ deleting: true })).toEqual(['drop'])
    expect(verbs({ deleting: true, isHeld: false })).toEqual([])
  })
  it('says where its Ignition and its disc are, and that this is no assisted service', () => {
    const { status } = decide(seen(), now)
    expect(status).toMatchObject({
      isoDownloadURL: ready.iso,
      createdTime: '2026-11-17T08:00:00Z',
      bootArtifacts: { discoveryIgnitionURL: ready.ignition },
    })
    expect(status.conditions?.[0]).toMatchObject({
      status: 'True',
      message: expect.stringContaining('nothing more of an assisted service is here'),
    })
  })
  it('AP-01 keeps the time at which that was made until it is another', () => {
    const standing = { ignition: ready.ignition, created: '2026-01-01T00:00:00Z' }
    expect(decide(seen({ standing }), now).status).toMatchObject({ createdTime: '2026-01-01T00:00:00Z' })
    expect(decide(seen({ standing: { ...standing, ignition: 'other' } }), now).status).toMatchObject({
      createdTime: '2026-11-17T08:00:00Z',
    })
  })
  it('AP-04 says why there is no disc of it, and what of it is not followed', () => {
    const without = new Fault('boot/no-base', 'there is no live ISO for s390x', 'when-changed')
    const { status } = decide(seen({ rendered: { ...ready, iso: undefined, without }, unused: ['kernelArguments'] }), now)
    expect(status).toMatchObject({ isoDownloadURL: null, bootArtifacts: { discoveryIgnitionURL: ready.ignition } })
    expect(status.conditions?.[0]?.message).toMatch(/no live ISO for s390x; not followed: kernelArguments/)
  })
  it('that cannot be rendered says why, and is tried again', () =>
    expect(decide(seen({ rendered: { is: 'failed', reason: 'NoAssistedService', because: 'nobody said' } }), now)).toMatchObject({
      again: 30_000,
      status: { conditions: [{ type: 'ImageCreated', status: 'False', reason: 'NoAssistedService' }] },
    }))
  it('that an assisted service renders is left to it, and freed where it was ours before', () => {
    expect(decide(seen({ theirs: 'so', isHeld: false, rendered: undefined }), now)).toMatchObject({ actions: [], status: {} })
    expect(verbs({ theirs: 'so' })).toEqual(['drop'])
  })
})
