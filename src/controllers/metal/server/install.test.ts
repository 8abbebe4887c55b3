import { describe, expect, it } from 'vitest'
import { armedAs, at, configured, done, now, off, on, provisioned, running, seen } from '../../../../test/metal/server-seen.ts'
import { minutes } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { decide } from './decide.ts'
import type { MachineThere, Seen } from './seen.ts'

const fetched = { attempt: 3, fetches: [{ what: 'uki' as const, first: at, done: at }] }
const report = (...states: readonly string[]) => ({ ...fetched, reports: states.map(state => ({ state, time: at })) })

describe('a machine that boots from the network', () => {
  const later = printInstant(now + minutes(6))
  const restarted: MachineThere = {
    ...on,
    evidence: { lastResetTime: later, progress: 'SystemHardwareInitializationComplete' },
    resetFor: minutes(10),
  }
  const ran = { ...running, ran: true }
  const cases: readonly (readonly [reason: string, given: Seen, does: readonly string[]])[] = [
    ['waits for it to fetch its image', seen({ boot: running, machine: on }), []],
    [
      'BP-047 is provisioned when it is on and has fetched its image',
      seen({ boot: running, machine: on, configuration: { ...configured, served: fetched } }),
      ['markProvisioned'],
    ],
    [
      'X-005 is not, where its report is wanted',
      seen({ boot: running, machine: on, configuration: { ...configured, level: 'BootReported', served: fetched } }),
      [],
    ],
    [
      'X-005 is, by that report',
      seen({ boot: running, machine: on, configuration: { ...configured, level: 'BootReported', served: report('Booted') } }),
      ['markProvisioned'],
    ],
    [
      'X-005 BP-047 is by its power alone, where that was asked for',
      seen({ boot: running, machine: on, configuration: { ...configured, level: 'PowerOn' } }),
      ['markProvisioned'],
    ],
    [
      'T-82 gets its disk armed when its installer says that it is done',
      seen({ boot: ran, machine: on, configuration: { ...provisioned, served: report('Installed') } }),
      ['arm Hdd'],
    ],
    [
      'T-82 is cycled once where its system reset it and nothing runs',
      seen({ boot: ran, machine: restarted, configuration: { ...provisioned, served: fetched } }),
      ['arm Hdd', 'switchOff'],
    ],
    [
      'T-82 is not cycled twice',
      seen({ boot: { ...ran, cycled: true, next: 'Hdd' }, machine: restarted, configuration: { ...provisioned, served: fetched } }),
      [],
    ],
    [
      'T-82 is cycled where that was noted, and the reset that it answers is still the last one',
      seen({
        boot: { ...ran, cycled: true, answered: restarted.evidence!.lastResetTime!, next: 'Hdd' },
        machine: restarted,
        configuration: { ...provisioned, served: fetched },
      }),
      ['arm Hdd', 'switchOff'],
    ],
    [
      'T-82 is not cycled where it was reset since',
      seen({
        boot: { ...ran, cycled: true, answered: '2020-01-01T00:00:00Z', next: 'Hdd' },
        machine: restarted,
        configuration: { ...provisioned, served: fetched },
      }),
      [],
    ],
    [
      'T-82 is not cycled where no system was seen before the reset',
      seen({ boot: running, machine: restarted, configuration: { ...provisioned, served: fetched } }),
      [],
    ],
    [
      'T-82 is never cycled under PowerOn',
      seen({ boot: ran, machine: restarted, configuration: { ...provisioned, level: 'PowerOn', served: fetched } }),
      [],
    ],
    [
      'I15 loses an override that was not used up',
      seen({
        boot: running,
        machine: { ...armedAs('UefiHttp', 'ours'), power: 'On', evidence: on.evidence },
        configuration: { ...provisioned, served: fetched },
      }),
      ['disarm'],
    ],
    ['is left as it is where it goes off', seen({ boot: running, machine: off, configuration: provisioned }), []],
  ]
  for (const [reason, given, does] of cases) it(reason, () => expect(done(given)).toEqual(does))

  it('D8 serves nothing any more once its system was seen', () => {
    expect(
      decide(seen({ boot: running, machine: on, configuration: { ...provisioned, served: fetched } }), now).status['boot'],
    ).toMatchObject({ serves: false, ran: true })
  })
  it('is over when what was installed has reported', () => {
    const plan = decide(seen({ boot: ran, machine: on, configuration: { ...provisioned, served: report('Installed', 'Booted') } }), now)
    expect(plan.status['boot']).toMatchObject({ step: 'Ended', outcome: 'Installed' })
  })
  it('T-11 is over without evidence after an hour, and says that it is not repeated', () => {
    const plan = decide(seen({ boot: { ...running, age: minutes(60) }, machine: on }), now)
    expect(plan).toMatchObject({
      because: expect.stringContaining('not booted again by itself'),
      status: { boot: { step: 'Ended', outcome: 'NoEvidence' } },
    })
  })
  it('I28 is not over early because a wall clock jumped', () => {
    expect(decide(seen({ boot: running, machine: on }), now + minutes(600)).status['boot']).not.toHaveProperty('step')
  })
})
