import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { flaws } from '../../src/core/machine-walk.ts'
import { diagram, diagramFile } from './draw.ts'
import { decide, lifecycle, type Seen } from './valve.ts'

const now = 1_800_000_000_000
const seen = (phase: string | undefined, rest: Partial<Seen> = {}): Seen => ({
  standing: { phase, phaseSince: '2027-01-15T08:00:00Z' },
  wanted: 'Open',
  deleting: false,
  reading: { position: 'Closed', turns: 6 },
  noted: undefined,
  ...rest,
})
const open = { position: 'Open', turns: 7 } as const
const moving = { position: 'Moving', turns: 6 } as const
const noted = (age: number, after = 6) => ({ after, attempt: 1, age })

describe('decide()', () => {
  it.each([
    { reason: 'it is new', of: seen(undefined), to: 'Finding' },
    { reason: 'it was read as open', of: seen('Finding', { reading: open }), to: 'Open' },
    { reason: 'it was read as closed', of: seen('Finding'), to: 'Closed' },
    { reason: 'it shall be open', of: seen('Closed'), to: 'Opening' },
    { reason: 'it was read as open', of: seen('Opening', { reading: open }), to: 'Open' },
    { reason: 'it shall not open any more', of: seen('Opening', { wanted: 'Closed' }), to: 'Finding' },
    { reason: 'somebody else turned it', of: seen('Open'), to: 'Finding' },
    { reason: 'it shall be closed', of: seen('Open', { wanted: 'Closed', reading: open }), to: 'Closing' },
    { reason: 'it was read as closed', of: seen('Closing', { wanted: 'Closed' }), to: 'Closed' },
  ])('goes to $to because $reason', ({ reason, of, to }) => {
    expect(decide(of, now)).toMatchObject({ because: expect.stringContaining(reason), status: { phase: to }, actions: [] })
  })

  it.each([
    { reason: 'nothing was asked for yet', of: seen('Opening'), turn: { after: 6, attempt: 1 } },
    { reason: 'an earlier turn is done', of: seen('Opening', { noted: noted(0, 5) }), turn: { after: 6, attempt: 1 } },
    { reason: 'the last one never came', of: seen('Opening', { noted: noted(seconds(30)) }), turn: { after: 6, attempt: 2 } },
  ])('notes a turn and asks for it when $reason', ({ of, turn }) => {
    expect(decide(of, now)).toMatchObject({ status: { turn }, actions: [{ do: 'turn' }], again: seconds(2) })
  })

  it.each([
    { reason: 'it is moving', of: seen('Opening', { reading: moving }), says: 'it is moving' },
    { reason: 'a turn may still come', of: seen('Opening', { noted: noted(seconds(29)) }), says: 'may still come' },
    { reason: 'it stands right but a turn may still come', of: seen('Closed', { wanted: 'Closed', noted: noted(0) }), says: 'may still' },
    { reason: 'it stands in between', of: seen('Finding', { reading: moving }), says: 'neither open nor closed' },
  ])('asks for nothing while $reason', ({ of, says }) => {
    const plan = decide(of, now)
    expect(plan).toMatchObject({ actions: [], again: seconds(2) })
    expect(plan.because).toContain(says)
  })

  it('looks now and then at a valve that stands as wanted, and forgets the turns it took', () => {
    expect(decide(seen('Open', { reading: open, noted: noted(0) }), now)).toMatchObject({
      actions: [],
      again: minutes(1),
      status: { turn: null },
    })
  })

  it('lets a deleted valve go once it is closed, not before', () => {
    const gone = { wanted: 'Closed', deleting: true } as const
    expect(decide(seen('Closed', gone), now).actions).toEqual([{ do: 'release' }])
    expect(decide(seen('Open', { ...gone, reading: open }), now)).toMatchObject({ status: { phase: 'Closing' }, actions: [] })
    expect(decide(seen('Closed', { ...gone, noted: noted(0) }), now).actions).toEqual([])
  })
})

it('the lifecycle of a valve has no phase that is never reached or never left', () => expect(flaws(lifecycle as never)).toEqual([]))

it('lifecycle.md shows the lifecycle as it is (run: node examples/controller/draw.ts)', () => {
  expect(readFileSync(diagramFile, 'utf8')).toBe(diagram)
})
