import { describe, expect, it } from 'vitest'
import {
  armedAs,
  arming,
  at,
  claim,
  done,
  note,
  now,
  off,
  on,
  provisioned,
  seen,
  server,
  starting,
} from '../../../../test/metal/server-seen.ts'
import { seconds } from '../../../core/duration.ts'
import { decide } from './decide.ts'
import type { Seen } from './seen.ts'

describe('a server that is being parked, or is parked and loses its claim', () => {
  const phase = { phase: 'Parked', phaseSince: at }
  const parking = { ...server, standing: phase, operation: 'park' }
  const going = { ...claim, is: 'going' as const }
  for (const [words, given, end] of [
    ['being parked', seen({ server: parking, boot: arming }), 'park'],
    ['parked', seen({ server: { ...server, standing: phase, parked: true }, claim: going, boot: arming }), 'letGo'],
  ] as const) {
    it(`I5 I15 ${words}: ends its boot, disarms it, and is sure that it is off where it is let go`, () => {
      expect(decide(given, now)).toMatchObject({ actions: [], status: { boot: { step: 'Ended', serves: false } } })
      const closed = { ...given, boot: { ...note, outcome: 'SwitchedOff' as const } }
      expect(done({ ...closed, machine: armedAs('UefiHttp', 'ours') })).toEqual(['disarm'])
      // Nobody else gets it by being parked.
      expect(done({ ...closed, machine: { ...off, powerFor: seconds(5) } })).toEqual(end === 'park' ? ['park'] : [])
      expect(done(closed)).toEqual([end])
    })
    it(`${words}: waits for a switch-on that may still arrive`, () => {
      expect(decide({ ...given, boot: { ...starting, askedAge: seconds(10) } }, now)).toMatchObject({
        actions: [],
        because: expect.stringContaining('may still come'),
      })
    })
  }
})

describe('its locator light', () => {
  const settled = seen({ boot: note, machine: { ...on, lit: 'Off' }, configuration: provisioned })
  const led = (shows: Seen['server']['led']['shows'], wanted: Seen['server']['led']['wanted']) => ({ ...server, led: { shows, wanted } })
  const told = (given: Seen) => ({ does: done(given), on: decide(given, now).status['indicatorLED'] })
  const lights = { ...on, lit: 'Lit' as const }
  it('I25 is on record as lit only when that was read back, and is lit again until it is', () => {
    expect(told({ ...settled, server: led(undefined, 'Lit') })).toEqual({ does: ['light'], on: 'Unknown' })
    expect(told({ ...settled, server: led('Unknown', 'Lit') })).toEqual({ does: ['light'], on: undefined })
    expect(told({ ...settled, server: led('Unknown', 'Lit'), machine: lights })).toEqual({ does: [], on: 'Lit' })
    expect(told({ ...settled, server: led('Lit', 'Lit'), machine: lights })).toEqual({ does: [], on: undefined })
  })
  it('goes off when nobody wants it any more, and is left alone where it was not lit here', () => {
    for (const recorded of ['Lit', 'Unknown'] as const)
      expect(done({ ...settled, server: led(recorded, undefined), machine: lights })).toEqual(['light'])
    expect(told({ ...settled, server: led('Unknown', undefined) })).toEqual({ does: [], on: 'Off' })
    for (const recorded of [undefined, 'Off'] as const)
      expect(told({ ...settled, server: led(recorded, undefined), machine: lights })).toEqual({ does: [], on: undefined })
  })
  it('is not known where its BMC shows none', () =>
    expect(told({ ...settled, server: led(undefined, 'Lit'), machine: on })).toEqual({ does: [], on: 'Unknown' }))
})

describe('a maintenance without an image', () => {
  const held = { ...server, standing: { phase: 'Maintenance', phaseSince: at } }
  const work = { namespace: 'd', name: 'w', uid: 'w', generation: 1, is: 'there', power: 'On', led: undefined, boots: false } as const
  const given = seen({ server: held, maintenance: work, configuration: undefined })
  const starting = { asked: at, because: 'its maintenance wants it on' }
  it('I15 boots nothing that its claim had armed: that boot ends, is taken back, and only then it is switched on', () => {
    const interrupted = { ...given, boot: arming, machine: armedAs('UefiHttp', 'ours') }
    expect(decide(interrupted, now)).toMatchObject({ actions: [], status: { boot: { step: 'Ended', serves: false } } })
    expect(done({ ...interrupted, boot: note })).toEqual(['disarm'])
  })
  it('I2 notes that it switches it on, in the plan that does', () =>
    expect(decide({ ...given, boot: note }, now)).toMatchObject({
      actions: [{ do: 'switchOn' }],
      status: { starting: { because: 'its maintenance wants it on' }, stopping: null },
    }))
  it('switches off at its end what it switched on, and nothing else', () => {
    const over = { ...given, boot: note, maintenance: { ...work, is: 'going' as const } }
    expect(done({ ...over, starting, machine: on })).toEqual(['switchOff'])
    expect(done({ ...over, machine: on })).toEqual(['endMaintenance'])
    expect(decide({ ...over, starting }, now)).toMatchObject({ actions: [{ do: 'endMaintenance' }], status: { starting: null } })
  })
})
