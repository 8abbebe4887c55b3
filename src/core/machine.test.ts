import { describe, expect, it } from 'vitest'
import { minutes } from './duration.ts'
import { machine, step, when } from './machine.ts'
import { flaws, toMermaid } from './machine-walk.ts'
import { act, idle } from './plan.ts'

interface Seen {
  readonly power: 'On' | 'Off'
  readonly broken?: boolean
}
type Verb = { readonly do: 'switchOn' }

const lamp = machine<Seen, Verb>()({
  initial: 'Dark',
  phases: {
    Dark: {
      does: () => act('it is dark', [{ do: 'switchOn' }]),
      within: minutes(1),
      exits: { Broken: when('the bulb is broken', s => s.broken === true), Lit: when('power is on', s => s.power === 'On') },
    },
    Lit: { does: () => idle('it shines'), within: minutes(5), exits: { Dark: when('power went off', s => s.power === 'Off') } },
    Broken: { does: () => idle('nothing helps'), exits: {}, final: true },
  },
})
const at = (phase: string | undefined, phaseSince = '1970-01-01T00:00:00Z') => ({ phase, phaseSince })

describe('step()', () => {
  it('enters the initial phase first, and does nothing else in that step', () => {
    const plan = step(lamp, at(undefined), { power: 'Off' }, 0)
    expect(plan).toMatchObject({ because: 'enters Dark: it is new', status: { phase: 'Dark' }, actions: [], again: 0 })
  })
  it('takes the first exit that holds, and acts only in the phase it stands in', () => {
    expect(step(lamp, at('Dark'), { power: 'On', broken: true }, 0)).toMatchObject({
      because: 'Dark → Broken: the bulb is broken',
      actions: [],
    })
    expect(step(lamp, at('Dark'), { power: 'Off' }, 0).actions).toEqual([{ do: 'switchOn' }])
  })
  it('tells of every move with the words of its guard', () => {
    expect(step(lamp, at('Lit'), { power: 'Off' }, 0).events).toEqual([
      { type: 'Normal', reason: 'Dark', message: 'Lit → Dark: power went off' },
    ])
  })
  it('says so when a phase is overstayed, and wakes up to say it', () => {
    const early = step(lamp, at('Lit'), { power: 'On' }, minutes(5))
    expect(early).toMatchObject({ latest: 1, status: { conditions: [{ type: 'Overstayed', status: 'False' }] } })
    const late = step(lamp, at('Dark'), { power: 'Off' }, minutes(1) + 1)
    expect(late.status.conditions).toMatchObject([
      { type: 'Overstayed', status: 'True', message: 'Dark should take 60 s at most: it is dark' },
    ])
  })
  it('leaves a plan that acted to be looked at again at once, whatever is normal for the phase', () => {
    const plan = step(lamp, at('Dark'), { power: 'Off' }, 0)
    expect(plan.actions).toEqual([{ do: 'switchOn' }])
    expect(plan).not.toHaveProperty('again')
  })
  it('does nothing in a phase it does not know', () => {
    expect(step(lamp, at('__proto__'), { power: 'Off' }, 0)).toMatchObject({ actions: [], status: {} })
  })
})

describe('flaws()', () => {
  it('finds nothing wrong with a lifecycle that holds together', () => expect(flaws(lamp as never)).toEqual([]))
  it('names phases that are never reached or never left', () => {
    const bad = machine<Seen, Verb>()({
      initial: 'A',
      phases: { A: { does: () => idle(''), exits: {} }, B: { does: () => idle(''), exits: { A: when('', () => true) } } },
    })
    expect(flaws(bad as never)).toEqual(['B is never reached', 'A is never left'])
  })
})

it('toMermaid() draws every exit with its label', () => {
  expect(toMermaid(lamp as never)).toBe(
    'stateDiagram-v2\n  [*] --> Dark\n  Dark --> Broken: the bulb is broken\n  Dark --> Lit: power is on\n  Lit --> Dark: power went off\n  Broken --> [*]\n',
  )
})
