import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../core/duration.ts'
import { printInstant } from '../../core/instant.ts'
import { spread } from '../../core/spread.ts'
import { whyNotTouch } from './authority.ts'
import { componentsFor, differingFirmware, reportedFirmware } from './component-match.ts'
import { scanDue, scanPeriod } from './scan-due.ts'
import { checkSettings, type SettingRule } from './settings-check.ts'
import { differingSettings, onlyNamed } from './settings-diff.ts'
import { compareVersions } from './version-order.ts'

describe('FW-047 versions are compared as their makers count', () => {
  it.each([
    ['10.0', '9.0', 'newer'],
    ['1.10.0', '1.9.9', 'newer'],
    ['1.8.2', '1.8.2', 'same'],
    ['v1.8.2', '1.8.2', 'same'],
    ['1.0', '1.0.0', 'same'],
    ['1.4a', '1.4', 'newer'],
    ['6.00.30.00', '6.00.30.201', 'older'],
    ['A43 v2.58', 'A43 v2.60 (06/08/2023)', 'older'],
    ['A43 v2.60 (06/08/2023)', '2.60_06-08-2023', 'same'],
    ['A43 v2.60', '2.60', 'same'],
    ['A43 v2.58', 'U46 v2.60', 'incomparable'],
    ['AFE120G-1.40', 'AFE122I-1.50', 'older'],
    ['AFE120G-1.40', '1.40', 'same'],
    ['1.40-AFE126E', '1.50-AFE130A', 'older'],
    ['1.40-AFE126E', '1.40', 'same'],
    ['R23_F01', 'R23_F10', 'older'],
    ['R23_F01', 'R24_F01', 'older'],
    ['F12', 'F9', 'newer'],
    ['1.4', 'golden', 'incomparable'],
    ['golden', 'Golden', 'same'],
  ] as const)('%s is %s: %s', (a, b, order) => {
    expect(compareVersions(a, b)).toBe(order)
    const turned = { same: 'same', older: 'newer', newer: 'older', incomparable: 'incomparable' } as const
    expect(compareVersions(b, a)).toBe(turned[order])
  })

  it('also where a BMC says something endless that is no version', () => {
    expect(compareVersions(`1${'a'.repeat(100_000)}!`, '1.0')).toBe('incomparable')
    expect(compareVersions(`1${'.1'.repeat(50_000)}!`, '1.0')).toBe('incomparable')
  })
})

describe('T-30 settings are compared by what they mean', () => {
  it('takes "true" for true and "8" for 8, and a boolean that differs for different', () => {
    expect(differingSettings({ a: 'true', b: '8', c: 8, d: true }, { a: true, b: 8, c: '8', d: 'True' })).toEqual([])
    expect(differingSettings({ a: '08', b: '', c: -1 }, { a: 8, b: null, c: '-01' })).toEqual([])
    expect(differingSettings({ a: '08', b: '0x8', c: '' }, { a: '8', b: 8, c: 0 })).toEqual(['a', 'b', 'c'])
    expect(differingSettings({ a: true, b: 8, c: 'On' }, { a: false, b: 9, c: 'on' })).toEqual(['a', 'b', 'c'])
  })

  it('T-31 takes a setting that is not known yet for different', () => {
    expect(differingSettings({ a: 1 }, {})).toEqual(['a'])
  })

  it('FW-018 keeps only what the spec names', () => {
    expect(onlyNamed({ a: 1, b: 2 }, { b: 3, c: 4 })).toEqual({ b: 2 })
  })
})

describe('X-020 settings are checked against the registry', () => {
  const registry: readonly SettingRule[] = [
    { name: 'Virt', type: 'Enumeration', readOnly: false, values: ['Enabled', 'Disabled'] },
    { name: 'Quiet', type: 'Boolean', readOnly: false },
    { name: 'Delay', type: 'Integer', readOnly: false, minimum: 0, maximum: 10 },
    { name: 'Tag', type: 'String', readOnly: false, maxLength: 4 },
    { name: 'Serial', type: 'String', readOnly: true },
    { name: 'SetupPassword', type: 'Password', readOnly: false },
    {
      name: 'Turbo',
      type: 'Enumeration',
      readOnly: false,
      values: ['On', 'Off'],
      dependencies: [{ when: [{ setting: 'Virt', is: 'EQU', value: 'Disabled' }], property: 'ReadOnly', value: true }],
    },
  ]

  it('turns wishes into the types that the machine takes', () => {
    const { settings, problems } = checkSettings({ Virt: 'Enabled', Quiet: 'true', Delay: '5', Tag: 12 }, registry, {})
    expect({ settings, problems }).toEqual({ settings: { Virt: 'Enabled', Quiet: true, Delay: 5, Tag: '12' }, problems: [] })
  })

  it.each([
    [{ Virt: 'enabled' }, 'Virt is one of Enabled, Disabled, found "enabled"'],
    [{ Quiet: 'yes' }, 'Quiet is true or false, found "yes"'],
    [{ Delay: 11 }, 'Delay is between 0 and 10, found 11'],
    [{ Delay: '1.5' }, 'Delay is a whole number, found "1.5"'],
    [{ Tag: 'abcde' }, 'Tag has at most 4 characters, found 5'],
    [{ Serial: 'x' }, 'Serial is read-only'],
    [{ virt: 'Enabled' }, 'this machine has no setting virt; it has Virt'],
    [{ Nothing: 1 }, 'this machine has no setting Nothing'],
  ])('refuses %o', (wanted, problem) => {
    expect(checkSettings(wanted as never, registry, {}).problems).toEqual([problem])
  })

  it('never takes a password', () => {
    expect(checkSettings({ SetupPassword: 'hunter2' }, registry, {}).problems.join()).toMatch(/is a password/)
    expect(checkSettings({ SetupPassword: 'hunter2' }, registry, {}).problems.join()).not.toContain('hunter2')
  })

  it('reports what stands in the way of a dependent setting, before and after the change', () => {
    expect(checkSettings({ Turbo: 'On' }, registry, { Virt: 'Disabled', Turbo: 'Off' }).problems).toEqual([
      'Turbo cannot be set while Virt is Disabled',
    ])
    expect(checkSettings({ Turbo: 'On', Virt: 'Enabled' }, registry, { Virt: 'Disabled', Turbo: 'Off' }).problems).toEqual([])
    expect(checkSettings({ Turbo: 'Off' }, registry, { Virt: 'Disabled', Turbo: 'Off' }).problems).toEqual([])
  })

  it('without a registry goes by what the machine shows', () => {
    expect(checkSettings({ a: 'true', b: 'x', c: 1 }, undefined, { a: false, b: 1 }).problems).toEqual([
      'b is a whole number, found "x"',
      'this machine has no setting c',
    ])
  })
})

describe('T-40 components are matched by name and manufacturer', () => {
  const installed = [
    { id: 'NIC.1', name: 'nic', manufacturer: 'Intel Corp.', version: '1.9' },
    { id: 'NIC.2', name: 'nic', manufacturer: 'Intel', version: '2.0.0' },
    { id: 'NIC.3', name: 'nic', manufacturer: 'Broadcom', version: '3' },
    { id: 'SSD', name: 'Solid state disk', version: '7' },
  ]
  const wish = { name: 'NIC', manufacturer: 'Intel', version: '2.0.0' }

  it('finds all of them, also by their id, and those of no known maker by name', () => {
    expect(componentsFor(wish, installed).map(({ id }) => id)).toEqual(['NIC.1', 'NIC.2'])
    expect(componentsFor({ name: 'ssd', manufacturer: 'ACME Corp.' }, installed).map(({ id }) => id)).toEqual(['SSD'])
  })

  it('finds none in an endless name of a maker', () => {
    expect(componentsFor(wish, [{ name: 'nic', manufacturer: `Intel${' inc'.repeat(200_000)} x`, version: '1' }])).toEqual([])
    expect(componentsFor(wish, [{ name: 'nic', manufacturer: `Intel${' Inc.'.repeat(3)}`, version: '1' }])).toHaveLength(1)
  })

  it('FW-062 says what differs: an older one, an absent one, and nothing unlisted', () => {
    const absent = { name: 'raid', manufacturer: 'ACME', version: '1' }
    expect(differingFirmware([wish, absent], installed)).toEqual([{ wish, found: '1.9' }, { wish: absent }])
    expect(differingFirmware([{ ...wish, manufacturer: 'Broadcom', version: '3.0' }], installed)).toEqual([])
  })

  it('FW-023 reports wishes in their own spelling, and each pair once', () => {
    expect(reportedFirmware([wish], installed)).toEqual([
      { name: 'NIC', manufacturer: 'Intel', version: '1.9' },
      { name: 'Solid state disk', manufacturer: 'unknown', version: '7' },
      { name: 'nic', manufacturer: 'Broadcom', version: '3' },
    ])
  })
})

describe('FW-038 scans', () => {
  const now = minutes(1_000_000)
  const at = (ago: number): string => printInstant(now - ago)
  const due = (given: Partial<Parameters<typeof scanDue>[0]>) =>
    scanDue({ period: minutes(30), lastScanTime: at(minutes(10)), seenFor: 0, now, turn: 0, ...given })

  it('FW-013 T-27 read 30 and "30m" alike, and nothing else', () => {
    expect([scanPeriod(30), scanPeriod('30m'), scanPeriod('30'), scanPeriod(undefined)]).toEqual(Array(4).fill(minutes(30)))
    expect(['30s', '1h', '0', 0, '1.5m', ''].map(scanPeriod)).toEqual(Array(6).fill(undefined))
  })

  it('are due when there was none, when the period is over, and when the time is no time', () => {
    expect(due({ lastScanTime: undefined }).due).toBe(true)
    expect(due({ lastScanTime: at(minutes(30)) }).due).toBe(true)
    expect(due({ lastScanTime: '01-01-2001 00:00:00' }).due).toBe(true)
  })

  it('T-37 are spread over the period, and only ever brought forward', () => {
    for (let turn = 0; turn < 1; turn += 0.01) {
      const found = due({ lastScanTime: at(0), turn })
      expect(found).toMatchObject({ due: false })
      if (!found.due) expect(found.in).toBeLessThanOrEqual(minutes(30))
    }
    const waits = [0.1, 0.4, 0.8].map(turn => due({ lastScanTime: at(0), turn }))
    expect(new Set(waits.map(one => (one.due ? 0 : one.in))).size).toBe(3)
  })

  it('T-37 of 10,000 objects that were made at once are spread evenly from the second period on: no minute has twice the mean', () => {
    const period = minutes(30)
    const turns = Array.from({ length: 10_000 }, (_, n) => spread(`uid ${n}`) / 2 ** 32)
    const perMinute = new Array<number>(240).fill(0)
    for (const turn of turns) {
      let last = now
      for (;;) {
        const found = scanDue({ period, lastScanTime: printInstant(last), seenFor: 0, now: last, turn })
        const next = last + (found.due ? 0 : found.in)
        expect(next - last).toBeLessThanOrEqual(period)
        expect(next).toBeGreaterThan(last)
        if (next >= now + minutes(240)) break
        perMinute[Math.floor((next - now) / minutes(1))]! += 1
        // Jobs take a while, each another: their end is what counts.
        last = next + (Math.floor(turn * 1e6) % 5) * seconds(1)
      }
    }
    const steady = perMinute.slice(30)
    const mean = steady.reduce((sum, count) => sum + count, 0) / steady.length
    expect(mean).toBeGreaterThan(333)
    expect(Math.max(...steady)).toBeLessThanOrEqual(2 * mean)
  })

  it('are not repeated at once by a job whose clock is a little slow', () => {
    expect(due({ lastScanTime: printInstant(now - seconds(2)), now, turn: 1 / 3 })).toEqual({ due: false, in: minutes(30) - seconds(2) })
  })

  it('I28 go on after a period where the last time lies in the future, and not before', () => {
    expect(due({ lastScanTime: printInstant(now + minutes(999)) })).toEqual({ due: false, in: minutes(30) })
    expect(due({ lastScanTime: printInstant(now + minutes(999)), seenFor: minutes(30) }).due).toBe(true)
  })
})

describe('I11 a job touches a server only while the server names it', () => {
  const ref = { kind: 'ServerBIOS', name: 'b', uid: 'u', job: 'j' }
  const by = { kind: 'ServerBIOS', uid: 'u', job: 'j' }
  const maintenance = { namespace: 'n', name: 'm' }
  const server = (spec: object, state: string) => ({ metadata: {}, spec, status: { state } })

  it.each([
    [server({ updateRef: ref }, 'Available'), undefined],
    [server({ updateRef: ref }, 'Reserved'), 'the Server is Reserved, not Available'],
    [server({ updateRef: ref, serverClaimRef: { name: 'c' } }, 'Available'), 'the Server is claimed by c'],
    [server({}, 'Available'), 'the Server does not name this job as its updater any more'],
    [server({ updateRef: { ...ref, job: 'k' } }, 'Available'), 'the Server names k for ServerBIOS b as its updater'],
    [
      server({ updateRef: { ...ref, maintenance }, serverMaintenanceRef: maintenance, serverClaimRef: { name: 'c' } }, 'Maintenance'),
      undefined,
    ],
    [server({ updateRef: { ...ref, maintenance } }, 'Maintenance'), 'maintenance n/m does not hold the Server any more'],
    [
      server({ updateRef: { ...ref, maintenance }, serverMaintenanceRef: maintenance }, 'Reserved'),
      'the Server is Reserved, not in maintenance',
    ],
    [undefined, 'the Server is gone'],
  ])('%o: %s', (seen, because) => expect(whyNotTouch(seen, by)).toBe(because))
})
