import { describe, expect, it } from 'vitest'
import { bySwitching, byUpgrading } from './stub.ts'

const spec3 = JSON.stringify({ ignition: { version: '3.2.0', config: { merge: [{ source: 'https://api:22623/config/worker' }] } } })
const authority = { security: { tls: { certificateAuthorities: [{ source: 'data:,old' }] } } }
const spec2 = JSON.stringify({
  ignition: {
    version: '2.2.0',
    timeouts: {},
    config: { append: [{ source: 'https://api:22623/config/worker', verification: {} }] },
    ...authority,
  },
  storage: { files: [{ filesystem: 'root', path: '/etc/mine', mode: 420 }] },
  networkd: {},
})
const worker = { secret: 'worker-user-data', userData: spec2 }

describe('bySwitching()', () => {
  const managed = { secret: 'worker-user-data-managed', userData: spec3 }
  const rows: readonly (readonly [reason: string, stub: typeof worker | undefined, managed: unknown, verdict: object])[] = [
    [
      'BI-033 BI-034 the installer’s Secret gives way to the managed one',
      worker,
      managed,
      { is: 'switch', to: 'worker-user-data-managed' },
    ],
    ['BI-033 the managed one stays', { ...worker, secret: 'worker-user-data-managed' }, undefined, { is: 'fine' }],
    [
      'T-62 a Secret of another name is left',
      { ...worker, secret: 'windows-user-stub' },
      managed,
      { is: 'hindered', reason: 'ForeignStub' },
    ],
    [
      'T-62 without the managed one nothing is switched',
      worker,
      { ...managed, userData: undefined },
      { is: 'hindered', reason: 'NoManagedStub' },
    ],
    ['T-62 the managed one must be of spec 3', worker, { ...managed, userData: spec2 }, { is: 'hindered', reason: 'BadStub' }],
    ['the managed one must be JSON', worker, { ...managed, userData: 'cloud-config' }, { is: 'hindered', reason: 'BadStub' }],
    ['a missing reference is said', undefined, managed, { is: 'hindered', reason: 'NoStub' }],
  ]
  for (const [reason, stub, other, verdict] of rows)
    it(reason, () => expect(bySwitching(stub, other as typeof managed | undefined)).toMatchObject(verdict))
})

describe('byUpgrading()', () => {
  it('X-024 UP-BI-24 a stub of spec 2 is lifted, with what its user put in', () => {
    const verdict = byUpgrading(worker)
    if (verdict.is !== 'upgrade') throw new Error(JSON.stringify(verdict))
    expect(JSON.parse(verdict.userData)).toEqual({
      ignition: { version: '3.2.0', config: { merge: [{ source: 'https://api:22623/config/worker' }] }, ...authority },
      storage: { files: [{ path: '/etc/mine', mode: 420, overwrite: true }] },
    })
  })
  const rows: readonly (readonly [reason: string, userData: string | null | undefined, verdict: object])[] = [
    ['BI-002 spec 3 is left as it is', spec3, { is: 'fine' }],
    [
      'UP-BI-23 spec 1 is refused by its number',
      JSON.stringify({ ignition: { version: '1.2.0' } }),
      { is: 'hindered', because: expect.stringContaining('1.2.0') },
    ],
    ['UP-BI-23 what is no JSON is refused', '#!/bin/sh', { is: 'hindered', because: expect.stringContaining('does not hold JSON') }],
    ['UP-BI-23 a Secret that is not there is said', undefined, { is: 'hindered', reason: 'NoStub' }],
    ['a Secret without user data is said', null, { is: 'hindered', because: expect.stringContaining('no key userData') }],
    [
      'what spec 3 cannot say is not dropped',
      JSON.stringify({ ignition: { version: '2.2.0' }, networkd: { units: [{}] } }),
      { is: 'hindered', because: expect.stringContaining('networkd') },
    ],
  ]
  for (const [reason, userData, verdict] of rows) it(reason, () => expect(byUpgrading({ ...worker, userData })).toMatchObject(verdict))
})
