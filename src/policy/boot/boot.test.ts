import { describe, expect, it } from 'vitest'
import { isProvisioned, levelInForce } from './evidence.ts'
import { hdd } from './hdd.ts'
import { type ImageContent, imageFit } from './image-fit.ts'
import { type NextBoot, nextBoot, type Purpose } from './next-boot.ts'
import { effectivePolicy } from './policy.ts'
import { readProvisioned } from './provisioned.ts'
import { pxe } from './pxe.ts'
import { uefiHttp } from './uefi-http.ts'
import { virtualMedia } from './virtual-media.ts'

const http = effectivePolicy({ firstBoot: 'UefiHttp' })
const claimed = (provisioned: 'yes' | 'no', policy = http): Purpose => ({ is: 'claim', policy, provisioned })
const armed = (boot: NextBoot): string => (boot.is === 'boot' ? boot.method.target : `hold: ${boot.because}`)

describe('effectivePolicy()', () => {
  it('BP-068 is PXE first and disk afterwards where nothing is said', () =>
    expect(effectivePolicy(undefined)).toEqual({ firstBoot: 'Pxe', boot: 'Hdd' }))
  it('BP-020 boots from disk where only the first boot is said', () => expect(http).toEqual({ firstBoot: 'UefiHttp', boot: 'Hdd' }))
})

describe('nextBoot()', () => {
  const cases: readonly (readonly [name: string, purpose: Purpose, target: string])[] = [
    ['BP-051 BP-050 discovery boots by PXE, whatever any policy says', { is: 'discovery' }, 'Pxe'],
    ['BP-035 BP-058 a claim that is not provisioned boots by firstBoot', claimed('no'), 'UefiHttp'],
    ['BP-034 BP-061 a provisioned claim boots from disk', claimed('yes'), 'Hdd'],
    ['BP-069 a claim without a policy boots by PXE first', claimed('no', effectivePolicy(undefined)), 'Pxe'],
    ['BP-070 a claim without a policy boots from disk afterwards', claimed('yes', effectivePolicy(undefined)), 'Hdd'],
    ['BP-040 BP-065 a maintenance always boots by firstBoot', { is: 'maintenance', policy: http }, 'UefiHttp'],
    ['BP-074 virtual media boots from the CD', claimed('no', effectivePolicy({ firstBoot: 'VirtualMedia' })), 'Cd'],
    [
      'BP-075 boot Network boots by firstBoot every time',
      claimed('yes', effectivePolicy({ firstBoot: 'UefiHttp', boot: 'Network' })),
      'UefiHttp',
    ],
  ]
  for (const [name, purpose, target] of cases) it(name, () => expect(armed(nextBoot(purpose))).toBe(target))

  it('BP-002 tells a first boot from a regular one', () => {
    expect([nextBoot(claimed('no')), nextBoot(claimed('yes'))].map(b => b.is === 'boot' && b.first)).toEqual([true, false])
  })
  it('BP-032 holds on an annotation that it cannot read', () => {
    const boot = nextBoot({ is: 'claim', policy: http, provisioned: readProvisioned({ 'metal.ironcore.dev/provisioned': 'maybe' }) })
    expect(boot).toMatchObject({ is: 'hold', because: expect.stringContaining('"maybe"') })
  })
  it('BP-075 holds on Network with virtual media', () => {
    expect(nextBoot(claimed('yes', { firstBoot: 'VirtualMedia', boot: 'Network' })).is).toBe('hold')
  })
  it('BP-006 arms Pxe, UefiHttp and Hdd by their Redfish names', () =>
    expect([pxe, uefiHttp, hdd].map(m => m.target)).toEqual(['Pxe', 'UefiHttp', 'Hdd']))
})

describe('readProvisioned()', () => {
  const cases: readonly (readonly [value: string | undefined, seen: ReturnType<typeof readProvisioned>])[] = [
    ['true', 'yes'],
    ['false', 'no'],
    [undefined, 'no'],
    ['True', { unreadable: 'True' }],
    ['', { unreadable: '' }],
  ]
  for (const [value, seen] of cases) {
    it(`BP-032 reads ${JSON.stringify(value)}`, () =>
      expect(readProvisioned(value === undefined ? {} : { 'metal.ironcore.dev/provisioned': value })).toEqual(seen))
  }
})

describe('imageFit()', () => {
  const image = (...roles: ImageContent['roles']): ImageContent => ({
    reference: 'os:1',
    architecture: 'x86_64',
    architectures: ['x86_64'],
    roles,
  })
  const fits = (fit: ReturnType<typeof imageFit>): boolean => fit.fits
  it('BP-024 PXE demands kernel and initramfs, both', () => {
    expect(
      [image('kernel', 'initramfs'), image('kernel'), image('initramfs'), image('uki')].map(i => fits(imageFit(pxe, i, 'x86_64'))),
    ).toEqual([true, false, false, false])
  })
  it('BP-025 HTTP Boot demands a UKI', () => {
    expect([image('uki'), image('kernel', 'initramfs')].map(i => fits(imageFit(uefiHttp, i, 'x86_64')))).toEqual([true, false])
  })
  it('BP-074 virtual media takes an ISO, or a UKI to wrap', () => {
    expect(imageFit(virtualMedia, image('uki', 'iso'), 'x86_64')).toEqual({ fits: true, uses: ['iso'] })
    expect(imageFit(virtualMedia, image('uki'), 'x86_64')).toEqual({ fits: true, uses: ['uki'] })
  })
  it('BP-007 BP-008 a disk boot asks nothing of the image', () =>
    expect(imageFit(hdd, image(), 'x86_64')).toEqual({ fits: true, uses: [] }))
  it('BP-027 says what was found and what was needed', () => {
    expect(imageFit(uefiHttp, image('kernel', 'initramfs'), 'x86_64')).toMatchObject({
      reason: 'MissingArtifact',
      because: 'Cannot boot "os:1" by UefiHttp: it needs uki; found kernel, initramfs',
    })
  })
  it('an image for another architecture does not fit, whatever it holds', () => {
    expect(imageFit(uefiHttp, image('uki'), 'arm64')).toMatchObject({
      reason: 'WrongArchitecture',
      because: expect.stringContaining('x86_64'),
    })
  })
})

describe('isProvisioned()', () => {
  const seen = (poweredOn: boolean, artifactServed = false, bootReported = false) => ({ poweredOn, artifactServed, bootReported })
  const cases: readonly (readonly [
    name: string,
    level: 'PowerOn' | 'ArtifactServed' | 'BootReported',
    evidence: ReturnType<typeof seen>,
    done: boolean,
  ])[] = [
    ['BP-047 at PowerOn the power alone counts', 'PowerOn', seen(true), true],
    ['BP-033 nothing counts while it is off', 'PowerOn', seen(false, true, true), false],
    ['BP-060 at ArtifactServed power alone is not enough', 'ArtifactServed', seen(true), false],
    ['BP-060 at ArtifactServed a served image is', 'ArtifactServed', seen(true, true), true],
    ['BP-060 a report proves more than a served image', 'ArtifactServed', seen(true, false, true), true],
    ['BP-060 at BootReported a served image is not enough', 'BootReported', seen(true, true), false],
    ['BP-060 at BootReported a report is', 'BootReported', seen(true, true, true), true],
  ]
  for (const [name, level, evidence, done] of cases) it(name, () => expect(isProvisioned(level, evidence).done).toBe(done))
  it('BP-031 falls back to power where somebody else serves', () => {
    expect([levelInForce('BootReported', false), levelInForce('BootReported', true)]).toEqual(['PowerOn', 'BootReported'])
  })
})
