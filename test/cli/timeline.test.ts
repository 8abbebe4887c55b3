import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import type { Told } from '../../src/cli/events.ts'
import { bootsOf } from '../../src/cli/timeline/boots.ts'
import { renderBoots } from '../../src/cli/timeline/render.ts'
import { ago, boot, configuration, server } from './objects.ts'

const plain = pc.createColors(false)
const event = (seconds: number, reason: string, message: string, more: Partial<Told> = {}): Told => ({
  at: ago(seconds),
  type: 'Normal',
  reason,
  message,
  times: 1,
  ...more,
})

describe('timeline', () => {
  it('shows each boot in order: asked, what was told, served, reported', () => {
    const boots = bootsOf({
      server: server('srv-1', {}, { boot: boot({ attempt: 2, asked: ago(80), reset: ago(70) }) }),
      configurations: [
        configuration('c1', 'srv-1', {
          served: {
            attempt: 2,
            fetches: [{ what: 'uki', first: ago(40), done: ago(39), from: '10.0.0.5' }],
            reports: [{ state: 'Installed', time: ago(10) }],
          },
        }),
      ],
      events: [event(85, 'BootArmed', 'boot 2: UefiHttp was read back'), event(400, 'BootEnded', 'boot 1: discovery is done')],
    })
    expect(renderBoots('srv-1', boots, plain)).toBe(
      [
        'srv-1, boot 1',
        '  00:03:20  BootEnded  boot 1: discovery is done',
        'srv-1, boot 2',
        '  00:08:30  asked      to boot by UefiHttp: claim, default/c1',
        '  00:08:35  BootArmed  boot 2: UefiHttp was read back',
        '  00:08:40  read back  UefiHttp, once; then the power was asked for',
        '  00:08:50  reset      as its BMC says: the override was used up',
        '  00:09:21  served     uki to 10.0.0.5',
        '  00:09:50  reported   Installed',
      ].join('\n'),
    )
  })
  it('within one second a server moves before it is booted, and a boot is explained before it is asked for', () => {
    const opened = ago(90)
    const boots = bootsOf({
      server: server('srv-1', {}, { boot: boot({ attempt: 2, opened, asked: opened }) }),
      configurations: [],
      events: [
        event(400, 'Boots', 'boot 1: discovery always boots by PXE'),
        event(90, 'Boots', 'boot 2: its first boot is by UefiHttp'),
        event(90, 'Reserved', 'Available → Reserved: a claim has it'),
      ],
    })
    expect(boots.map(({ boot: n, moments }) => [n, moments.map(({ what }) => what)])).toEqual([
      [1, ['Boots', 'Reserved']],
      [2, ['Boots', 'asked', 'read back']],
    ])
  })
  it('shows boots before the last one as whole as that: asked, read back, reset, served, reported, ended', () => {
    const before = {
      attempt: 2,
      purpose: 'Claim',
      method: 'UefiHttp',
      configuration: 'default/c1',
      opened: ago(500),
      asked: ago(490),
      reset: ago(480),
      served: [{ what: 'uki', time: ago(470) }],
      reported: [{ state: 'Installed', time: ago(400) }],
      outcome: 'Installed',
      because: 'the installed system runs',
    }
    const boots = bootsOf({
      server: server('srv-1', {}, { boot: boot({ attempt: 3, method: 'Hdd' }), earlierBoots: [before] }),
      // Its configuration still has the evidence of that one: it is not told twice.
      configurations: [
        configuration('c1', 'srv-1', {
          served: { attempt: 2, fetches: [{ what: 'uki', first: ago(471), done: ago(470), from: '10.0.0.5' }] },
        }),
      ],
      events: [],
    })
    expect(boots.map(({ boot: n, moments }) => [n, moments.map(({ what, says }) => `${what}: ${says}`)])[0]).toEqual([
      2,
      [
        'asked: to boot by UefiHttp: claim, default/c1',
        'read back: UefiHttp, once; then the power was asked for',
        'reset: as its BMC says: the override was used up',
        'served: uki to 10.0.0.5',
        'reported: Installed',
        'ended: Installed: the installed system runs',
      ],
    ])
    expect(boots).toHaveLength(2)
  })
  it('what does not say which boot it is about belongs to the one before it', () => {
    const boots = bootsOf({
      server: server('srv-1', {}, { boot: boot() }),
      configurations: [],
      events: [event(500, 'Discovery', 'enters Discovery'), event(20, 'Refused', 'a request was refused', { type: 'Warning', times: 3 })],
    })
    expect(boots.map(({ boot: n, moments }) => [n, moments.map(({ what, bad }) => [what, bad])])).toEqual([
      [0, [['Discovery', undefined]]],
      [
        2,
        [
          ['asked', undefined],
          ['Refused', true],
        ],
      ],
    ])
    expect(renderBoots('srv-1', boots, plain)).toContain('a request was refused (3 times)')
  })
  it('a server without a boot says so', () => {
    expect(renderBoots('srv-1', bootsOf({ server: server('srv-1'), configurations: [], events: [] }), plain)).toBe(
      'Nothing is known of a boot of srv-1.',
    )
  })
})
