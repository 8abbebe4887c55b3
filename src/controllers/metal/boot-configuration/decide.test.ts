import { describe, expect, it } from 'vitest'
import type { ArtifactRole } from '../../../policy/boot/method.ts'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { decide, type Seen } from './decide.ts'

const digest = `sha256:${'a'.repeat(64)}`
const artifact = (role: ArtifactRole) => ({ role, digest, bytes: 200 << 20 })
const read = (...roles: ArtifactRole[]): Seen['found'] => ({
  is: 'read',
  facts: { reference: 'os', digest, architecture: 'x86_64', architectures: ['x86_64'], artifacts: roles.map(artifact) },
})
const seen = (rest: Partial<Seen> = {}): Seen => ({
  generation: 2,
  deleting: false,
  image: 'os:1',
  architecture: 'x86_64',
  policy: effectivePolicy({ firstBoot: 'UefiHttp' }),
  pinned: undefined,
  found: undefined,
  fetch: undefined,
  shelved: [],
  addresses: {},
  ...rest,
})
const pinned = { digest, artifacts: [artifact('uki')] }

describe('decide()', () => {
  it('pins the digest for this generation before anything is fetched', () => {
    expect(decide(seen({ found: read('uki', 'kernel') }))).toMatchObject({
      status: { state: 'Pending', image: { generation: 2, digest, artifacts: [artifact('uki')] } },
      again: 0,
    })
  })
  it('is Ready in one go where everything is on the shelf already', () => {
    expect(decide(seen({ found: read('uki', 'kernel'), shelved: [digest], addresses: { uki: 'https://b/x.efi' } })).status).toMatchObject({
      state: 'Ready',
      httpBootURI: 'https://b/x.efi',
      image: { generation: 2, digest, artifacts: [artifact('uki')] },
    })
  })
  it('takes a squashfs along for PXE, and only there', () => {
    const roles = (policy: Seen['policy']) =>
      (
        decide(seen({ policy, found: read('kernel', 'initramfs', 'squashfs', 'uki') })).status['image'] as { artifacts: { role: string }[] }
      ).artifacts.map(a => a.role)
    expect(roles(effectivePolicy({ firstBoot: 'Pxe' }))).toEqual(['kernel', 'initramfs', 'squashfs'])
    expect(roles(effectivePolicy({ firstBoot: 'UefiHttp' }))).toEqual(['uki'])
  })
  it('says how far the image is', () => {
    expect(decide(seen({ pinned, fetch: { is: 'fetching', bytes: 50 << 20, of: 200 << 20 } })).because).toBe(
      'fetches the image: 50 of 200 MiB',
    )
  })
  it('BP-030 BP-057 BP-064 is Ready with its address once the artefact is on the shelf', () => {
    const plan = decide(seen({ pinned, fetch: { is: 'ready' }, addresses: { uki: 'https://boot.example/artifacts/x/os.efi' } }))
    expect(plan.status).toMatchObject({ state: 'Ready', httpBootURI: 'https://boot.example/artifacts/x/os.efi' })
  })
  it('BP-029 a PXE boot has no boot URI', () => {
    const plan = decide(
      seen({
        policy: effectivePolicy(undefined),
        pinned: { digest, artifacts: [artifact('kernel'), artifact('initramfs')] },
        fetch: { is: 'ready' },
      }),
    )
    expect(plan.status).toMatchObject({ state: 'Ready', httpBootURI: null })
  })
  const errors: readonly (readonly [what: string, given: Seen, reason: string])[] = [
    ['no image', seen({ image: undefined }), 'NoImage'],
    ['a missing artefact', seen({ found: read('kernel') }), 'MissingArtifact'],
    [
      'an unreadable image',
      seen({ found: { is: 'unreadable', code: 'image/not-found', because: 'gone', mayRecover: true } }),
      'ImageNotFound',
    ],
    [
      'a flipped byte',
      seen({ pinned, fetch: { is: 'failed', code: 'image/digest-differs', because: 'other content', mayRecover: true } }),
      'ImageDigestDiffers',
    ],
  ]
  for (const [what, given, reason] of errors) {
    it(`is in Error with a reason for ${what}, and looks again`, () => {
      expect(decide(given)).toMatchObject({
        status: { state: 'Error', httpBootURI: null, conditions: [{ type: 'ImageValid', status: 'False', reason }] },
        events: [{ type: 'Warning', reason }],
        again: expect.any(Number),
      })
    })
  }
  it('does nothing for one that is going', () => expect(decide(seen({ deleting: true }))).toMatchObject({ status: {}, actions: [] }))
})
