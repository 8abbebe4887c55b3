import { describe, expect, it } from 'vitest'
import {
  armedAs,
  arming,
  at,
  claim,
  configured,
  done,
  note,
  now,
  off,
  on,
  provisioned,
  running,
  seen,
  server,
  starting,
} from '../../../../test/metal/server-seen.ts'
import { minutes, seconds } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { decide } from './decide.ts'
import type { Seen } from './seen.ts'

describe('a claimed server that is off', () => {
  const cases: readonly (readonly [reason: string, given: Seen, does: readonly string[]])[] = [
    ['BP-058 arms its first boot', seen(), ['arm UefiHttp']],
    ['BP-034 arms its disk once it is provisioned', seen({ configuration: provisioned }), ['arm Hdd']],
    ['boots nothing that its claim does not want any more', seen({ claim: { ...claim, image: 'newer' } }), []],
    [
      'boots its disk whatever its claim wants by now',
      seen({ claim: { ...claim, image: 'newer' }, configuration: provisioned }),
      ['arm Hdd'],
    ],
    ['waits for its image', seen({ configuration: { ...configured, state: 'Pending' } }), []],
    ['boots its disk whatever became of its image', seen({ configuration: { ...provisioned, state: 'Error' } }), ['arm Hdd']],
    ['T-13 boots nothing on a guess', seen({ configuration: { ...configured, provisioned: { unreadable: 'maybe' } } }), []],
    ['stays off where its claim wants that', seen({ claim: { ...claim, power: 'Off' } }), []],
    ['BP-015 stays off where nobody here switched it off', seen({ boot: note, configuration: provisioned }), []],
    [
      'is booted again after it was switched off here',
      seen({ boot: note, configuration: provisioned, stopping: { how: 'graceful', asked: at, because: 'x', age: 0 } }),
      ['arm Hdd'],
    ],
    [
      'is booted again where its last boot was called off here before it began',
      seen({ boot: { ...note, outcome: 'SwitchedOff' } }),
      ['arm UefiHttp'],
    ],
    ['T-11 is not booted from the network again by itself', seen({ boot: { ...note, outcome: 'NoEvidence' } }), []],
    [
      'boots anew for another claim',
      seen({ boot: { ...note, configuration: { ...note.configuration!, uid: 'another' } } }),
      ['arm UefiHttp'],
    ],
  ]
  for (const [reason, given, does] of cases) it(reason, () => expect(done(given)).toEqual(does))

  it('D3 notes the boot, with its number, holder and end, in the plan that arms it', () => {
    expect(
      decide(seen({ boot: { ...note, purpose: 'Discovery', configuration: { ...note.configuration!, uid: 'probe' } } }), now).status[
        'boot'
      ],
    ).toMatchObject({
      attempt: 4,
      method: 'UefiHttp',
      step: 'Arming',
      serves: true,
      holder: 'us',
      configuration: { uid: 'config', generation: 1 },
    })
  })
  it('keeps what is known of the five boots before, in the same write', () => {
    const before = Array.from({ length: 5 }, (_, n) => ({ attempt: n - 3, purpose: 'Claim', method: 'Hdd', opened: at }))
    const served = { attempt: 3, fetches: [{ what: 'uki' as const, first: at, done: at }], reports: [{ state: 'Installed', time: at }] }
    const stopped = { how: 'graceful', asked: at, because: 'x', age: 0 } as const
    const given = seen({ boot: note, earlier: before, configuration: { ...provisioned, served }, stopping: stopped })
    const { earlierBoots } = decide(given, now).status as { readonly earlierBoots: readonly { readonly attempt: number }[] }
    expect(earlierBoots.map(({ attempt }) => attempt)).toEqual([-2, -1, 0, 1, 3])
    expect(earlierBoots.at(-1)).toMatchObject({
      method: 'UefiHttp',
      configuration: 'default/c1',
      outcome: 'Installed',
      served: [{ what: 'uki', time: at }],
      reported: [{ state: 'Installed', time: at }],
    })
  })
  it('gives out no number twice, even if its own note was lost', () => {
    expect(decide(seen({ configuration: { ...configured, lastServed: 9 } }), now).status['boot']).toMatchObject({ attempt: 10 })
  })
})

describe('a boot that was noted', () => {
  const cases: readonly (readonly [reason: string, given: Seen, does: readonly string[]])[] = [
    ['I6 is switched on once what it boots was read back', seen({ boot: arming, machine: armedAs('UefiHttp', 'ours') }), ['switchOn']],
    ['I6 is armed again where something else was read back', seen({ boot: arming, machine: armedAs('Pxe') }), ['arm UefiHttp']],
    ['I6 is armed again where the address is not ours', seen({ boot: arming, machine: armedAs('UefiHttp', 'other') }), ['arm UefiHttp']],
    ['I6 is armed again where nothing was read back', seen({ boot: arming }), ['arm UefiHttp']],
    [
      'ends, disarmed, where somebody switched it on meanwhile',
      seen({ boot: arming, machine: { ...armedAs('Pxe'), power: 'On' } }),
      ['disarm'],
    ],
    [
      'I29 touches nothing while the power is unknown',
      seen({ boot: arming, machine: { ...armedAs('UefiHttp', 'ours'), power: 'Unknown' } }),
      [],
    ],
    [
      'I16 of another process waits until that one’s calls are over',
      seen({ boot: { ...arming, holder: 'them', stepAge: seconds(30) } }),
      [],
    ],
    ['waits for the power for a while', seen({ boot: { ...starting, askedAge: seconds(10) }, machine: armedAs('UefiHttp', 'ours') }), []],
    ['is switched on once more after that', seen({ boot: starting, machine: armedAs('UefiHttp', 'ours') }), ['switchOn']],
    ['is not switched on again where its override is used up', seen({ boot: starting }), []],
    ['goes on by itself where it is on', seen({ boot: starting, machine: on }), []],
    ['is void where its configuration changed', seen({ boot: arming, configuration: { ...configured, generation: 2 } }), ['disarm']],
  ]
  for (const [reason, given, does] of cases) it(reason, () => expect(done(given)).toEqual(does))

  it('I16 of another process is taken over when that one’s calls are over', () => {
    const plan = decide(seen({ boot: { ...arming, holder: 'them', stepAge: minutes(2) } }), now)
    expect(plan).toMatchObject({ actions: [], status: { boot: { holder: 'us' } } })
  })
})

describe('a server that somebody else’s boot server serves', () => {
  const external = { address: 'https://boot.elsewhere/os.efi' }
  const elsewhere = { ...configured, artifacts: [], level: 'PowerOn' as const, external }
  it('T-07 BP-031 is told where that one has it, where it says so, and boots by DHCP where it does not', () => {
    expect(decide(seen({ configuration: elsewhere }), now).actions).toEqual([{ do: 'arm', target: 'UefiHttp', address: external.address }])
    const silent = { ...elsewhere, external: { address: undefined } }
    expect(decide(seen({ configuration: silent }), now).actions).toEqual([{ do: 'arm', target: 'UefiHttp' }])
  })
  it('T-11 is provisioned by its power, and never said to have booted something else', () => {
    expect(done(seen({ boot: running, machine: on, configuration: elsewhere }))).toEqual(['markProvisioned'])
    const marked = { ...elsewhere, provisioned: 'yes' as const, provisionedRaw: 'true' }
    const plan = decide(seen({ boot: { ...running, stepAge: minutes(30) }, machine: on, configuration: marked }), now)
    expect(plan).toMatchObject({ actions: [], because: expect.stringContaining('not seen from here') })
    expect(plan.status.conditions ?? []).toEqual([])
  })
  it('T-07 is not booted from a disc, and says why', () => {
    const disc = { ...elsewhere, policy: { firstBoot: 'VirtualMedia' as const, boot: 'Hdd' as const } }
    expect(decide(seen({ configuration: disc, machine: { ...off, media: [] } }), now)).toMatchObject({
      actions: [],
      because: expect.stringContaining('another one serves here'),
    })
  })
})

describe('a claimed server that runs', () => {
  const settled = seen({ boot: note, machine: on, configuration: provisioned })
  it('I26 is left alone', () => {
    expect(decide(settled, now)).toMatchObject({ actions: [], because: 'it runs' })
  })
  it('X-008 that was reset by somebody says so, and is left alone', () => {
    const machine = { ...on, evidence: { lastResetTime: printInstant(now + minutes(30)) } }
    expect(decide({ ...settled, machine }, now)).toMatchObject({
      actions: [],
      status: { conditions: [{ type: 'UnexpectedPowerTransition', status: 'True' }] },
    })
  })
  it('X-008 is switched off first when somebody resumes it, and the word is taken away', () => {
    expect(done({ ...settled, server: { ...server, operation: 'resume-boot' } })).toEqual(['switchOff', 'takeOperation'])
  })
  it('I8 is asked before its power is cut, and five minutes are counted from when it was heard', () => {
    const wants = { ...settled, claim: { ...claim, power: 'Off' as const } }
    const of = (stopping: Seen['stopping']) => decide({ ...wants, stopping }, now)
    const asked = { how: 'graceful', asked: at, because: 'x' } as const
    const graceful = [{ do: 'switchOff', how: 'graceful' }]
    const lost = { is: 'lost', code: 'bmc/error', because: 'the BMC answered 500' } as const
    const refused = { is: 'refused', code: 'bmc/not-offered', because: 'it offers On, ForceOff' } as const
    expect(of(undefined).actions).toEqual(graceful)
    expect(of({ ...asked, age: 0 }).actions, 'nobody knows whether it was heard').toEqual(graceful)
    expect(of({ ...asked, age: 0, answer: { is: 'heard' } }), 'it was heard').toMatchObject({
      actions: [],
      status: { stopping: { heard: true } },
    })
    expect(of({ ...asked, heard: true, age: minutes(3) }).actions).toEqual([])
    expect(of({ ...asked, heard: true, age: minutes(5) }).actions).toEqual([{ do: 'switchOff', how: 'forced' }])
    expect(of({ ...asked, age: minutes(300), answer: lost }), 'it was never heard').toMatchObject({
      actions: graceful,
      status: {
        conditions: [{ type: 'ShutdownAsked', status: 'False', reason: 'BmcError', message: expect.stringContaining('force-off-server') }],
      },
    })
    expect(of({ ...asked, age: minutes(4), answer: refused }).actions, 'it cannot be asked').toEqual(graceful)
    expect(of({ ...asked, age: minutes(5), answer: refused }), 'it cannot be asked, for five minutes').toMatchObject({
      actions: [{ do: 'switchOff', how: 'forced' }],
      status: { conditions: [{ type: 'ShutdownAsked', status: 'False', reason: 'BmcNotOffered' }] },
    })
  })
  it('is cut off at once where somebody says so, whoever has it', () => {
    const operated = { ...server, operation: 'force-off-server' }
    const work = { namespace: 'd', name: 'w', uid: 'w', generation: 1, is: 'there', power: 'On', led: undefined, boots: true } as const
    for (const one of [
      { ...settled, server: operated, claim: { ...claim, power: 'Off' as const } },
      { ...settled, server: { ...operated, standing: { phase: 'Released', phaseSince: at } }, claim: { ...claim, is: 'going' as const } },
      { ...settled, server: { ...operated, standing: { phase: 'Maintenance', phaseSince: at } }, maintenance: work },
    ])
      expect(decide(one, now).actions).toEqual([{ do: 'switchOff', how: 'forced' }, { do: 'takeOperation' }])
  })
  it('is cut off once more where it did not hear, for the reason that was given first', () => {
    const stopping = { how: 'forced' as const, asked: at, because: 'its system did not shut down', age: minutes(2) }
    const { actions, status } = decide({ ...settled, claim: { ...claim, power: 'Off' as const }, stopping }, now)
    expect(actions).toEqual([{ do: 'switchOff', how: 'forced' }])
    expect(status['stopping']).toMatchObject({ because: 'its system did not shut down' })
  })
  it('I15 is disarmed as soon as it is off, and let go a while after: what arrives late takes nothing from the next boot', () => {
    const armed = { target: 'UefiHttp', raw: 'UefiHttp', lasts: 'Once', address: 'none' } as const
    const released = { ...server, standing: { phase: 'Released', phaseSince: at } }
    const held = { ...server, standing: { phase: 'Maintenance', phaseSince: at } }
    const work = { namespace: 'default', name: 'work', uid: 'work', generation: 1, power: 'On', led: undefined, boots: true } as const
    const over = { boot: { ...note, purpose: 'Maintenance' as const }, maintenance: { ...work, is: 'going' as const } }
    for (const one of [seen({ server: released, claim: { ...claim, is: 'going' } }), { ...seen({ server: held, claim }), ...over }]) {
      expect(done({ ...one, machine: { ...off, powerFor: 0, armed } })).toEqual(['disarm'])
      expect(done({ ...one, machine: { ...off, powerFor: seconds(30) } })).toEqual([])
      expect(done({ ...one, machine: off })).toEqual([one.maintenance ? 'endMaintenance' : 'letGo'])
    }
  })
  it('X-008 says that a power cycle may go unnoticed where its BMC shows nothing, and takes it back where it does', () => {
    const told = (given: Seen) => decide(given, now).status.conditions?.find(({ type }) => type === 'PowerObservation')
    expect(told(settled)).toBeUndefined()
    for (const evidence of [{}, { progress: 'OSRunning' }])
      expect(told({ ...settled, machine: { ...on, evidence } })).toMatchObject({ status: 'False', reason: 'Limited' })
    const stands = { PowerObservation: { status: 'False', reason: 'Limited', message: '' } }
    expect(told({ ...settled, server: { ...server, stands } })).toMatchObject({ status: 'True' })
  })
  it('X-006 T-21 that was not started here is not cycled', () => expect(done(seen({ machine: on }))).toEqual([]))
})

describe('whatever the phase', () => {
  it('I23 a maintenance that got hold of a server set aside is let go when it is deleted, and nothing is done to the machine', () => {
    const work = { namespace: 'd', name: 'w', uid: 'w', generation: 1, is: 'going', power: 'On', led: undefined, boots: true } as const
    for (const phase of ['Parked', 'Released']) {
      const given = seen({ server: { ...server, parked: true, standing: { phase, phaseSince: at } }, machine: on, claim: undefined })
      expect(done({ ...given, maintenance: work })).toEqual(['endMaintenance'])
      expect(done({ ...given, maintenance: { ...work, is: 'there' } })).not.toContain('endMaintenance')
    }
  })
  it('a server without a state becomes Initial, and nothing is done', () => {
    const fresh = { ...server, standing: { phase: undefined, phaseSince: undefined } }
    expect(decide(seen({ server: fresh, machine: { is: 'unasked' }, claim: undefined }), now)).toMatchObject({
      actions: [],
      status: { state: 'Initial' },
    })
  })
  it('I1 a BMC that is silent leads to nothing but a condition', () => {
    const silent = { is: 'silent' as const, code: 'bmc/unreachable', because: 'Cannot reach it: refused' }
    for (const phase of ['Initial', 'Discovery', 'Available', 'Reserved', 'Released'])
      expect(
        decide(
          seen({
            machine: silent,
            claim: phase === 'Reserved' ? claim : undefined,
            server: { ...server, standing: { phase, phaseSince: at } },
          }),
          now,
        ),
      ).toMatchObject({
        actions: [],
        status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Reachable', status: 'False' })]) },
      })
  })
  it('I20 a machine that may be another one is set aside, and nothing is done to it', () => {
    const doubtful = { is: 'doubtful' as const, reason: 'AnotherMachine', because: 'another machine answers' }
    const plan = decide(seen({ machine: doubtful, boot: arming }), now)
    expect(plan).toMatchObject({ actions: [], status: { state: 'Error' } })
  })
  it('a server that is set aside is let go by force where its claim is gone, and stays set aside', () => {
    const doubtful = { is: 'doubtful' as const, reason: 'AnotherMachine', because: 'another machine answers' }
    const forced = { ...server, standing: { phase: 'Error', phaseSince: at }, operation: 'force-release' }
    expect(done(seen({ server: forced, machine: doubtful, claim: { ...claim, is: 'going' } }))).toEqual(['letGo'])
    expect(done(seen({ server: forced, machine: doubtful }))).toEqual(['takeOperation'])
    const stands = { Quarantined: { status: 'True', reason: 'ForceReleased', message: 'x' } }
    const after = decide(seen({ server: { ...forced, operation: undefined, stands }, machine: doubtful, claim: undefined }), now)
    expect(after).toMatchObject({ actions: [], because: expect.stringContaining('operation=retry') })
  })
  it('I23 a server that is deleted is never switched off', () => {
    expect(done(seen({ server: { ...server, deleting: true }, machine: on, boot: note }))).toEqual(['release'])
  })
  it('after a restore everything is looked at first, and what was about to be done is void', () => {
    expect(decide(seen({ observeOnly: true, boot: arming, machine: armedAs('UefiHttp', 'ours') }), now)).toMatchObject({
      actions: [],
      status: { boot: { step: 'Ended', outcome: 'Voided' } },
    })
  })
})
