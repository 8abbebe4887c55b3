import { describe, expect, it } from 'vitest'
import { parseSelector } from '../../core/selector.ts'
import { type Candidate, concerns, match, type Wish } from './match.ts'
import { tolerates } from './toleration.ts'

const server = (name: string, more: Partial<Candidate> = {}): Candidate => ({
  name,
  labels: {},
  state: 'Available',
  taken: 'free',
  held: false,
  deleting: false,
  updating: false,
  cordoned: false,
  taints: [],
  ...more,
})
const any: Wish = { tolerations: [] }
const flat = (): number => 0
const chosen = (wish: Wish, ...servers: Candidate[]): string => {
  const found = match(wish, servers, flat)
  return found.fits ? found.server : found.because
}

describe('match()', () => {
  const cases: readonly (readonly [reason: string, wish: Wish, servers: readonly Candidate[], found: string])[] = [
    ['any free server will do', any, [server('b'), server('a')], 'a'],
    ['the one that is named is taken', { ...any, server: 'b' }, [server('a'), server('b')], 'b'],
    [
      'a selector narrows',
      { ...any, selector: parseSelector('rack=2') },
      [server('a', { labels: { rack: '1' } }), server('b', { labels: { rack: '2' } })],
      'b',
    ],
    ['what is ours stays ours, even when it is no longer available', any, [server('a'), server('b', { taken: 'us', state: 'Error' })], 'b'],
    [
      'a taint is tolerated by name',
      { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      [server('a', { taints: [{ key: 'gpu', effect: 'NoBind' }] })],
      'a',
    ],
    ['nobody there', any, [], 'there are no servers'],
    ['the named one does not exist', { ...any, server: 'z' }, [server('a')], 'there is no server z'],
    [
      'the named one is taken by somebody else',
      { ...any, server: 'a' },
      [server('a', { taken: 'other' }), server('b')],
      'server a is claimed',
    ],
  ]
  for (const [reason, wish, servers, found] of cases) it(`chooses: ${reason}`, () => expect(chosen(wish, ...servers)).toBe(found))

  it('counts why nothing fits, most frequent first', () => {
    const servers = [
      server('a', { taken: 'other' }),
      server('b', { taken: 'other' }),
      server('c', { held: true }),
      server('d', { state: 'Discovery' }),
      server('e', { deleting: true }),
      server('f', { taints: [{ key: 'broken', effect: 'NoBind' }] }),
    ]
    expect(chosen(any, ...servers)).toBe(
      '0 of 6 servers fit: 2 are claimed, 1 is in maintenance, 1 is not available yet, 1 is being deleted, 1 is tainted',
    )
  })
  it('lets the rank decide among equals', () => {
    const found = match(any, [server('a'), server('b'), server('c')], name => ({ a: 2, b: 0, c: 1 })[name] ?? 9)
    expect(found).toEqual({ fits: true, server: 'b' })
  })
})

it('concerns() wakes only claims that a server could satisfy', () => {
  const wish = { ...any, selector: parseSelector('rack=2') }
  expect([{ rack: '2' }, { rack: '1' }].map(labels => concerns(wish, { name: 'a', labels: labels as Record<string, string> }))).toEqual([
    true,
    false,
  ])
  expect(concerns({ ...any, server: 'b' }, { name: 'a', labels: {} })).toBe(false)
})

describe('tolerates() follows the rules of pods and nodes:', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoBind' }
  const rows: readonly (readonly [what: string, given: Parameters<typeof tolerates>[0], answer: boolean])[] = [
    ['nothing tolerates nothing', [], false],
    ['key and value', [{ key: 'k', value: 'v' }], true],
    ['key and value, with Equal said', [{ key: 'k', operator: 'Equal', value: 'v' }], true],
    ['another value', [{ key: 'k', value: 'w' }], false],
    ['a key without a value equals none', [{ key: 'k' }], false],
    ['another key', [{ key: 'j', value: 'v' }], false],
    ['Exists asks for no value', [{ key: 'k', operator: 'Exists' }], true],
    ['Exists of another key', [{ key: 'j', operator: 'Exists' }], false],
    ['Exists without a key is every taint', [{ operator: 'Exists' }], true],
    ['neither key nor Exists is none', [{}], false],
    ['the same effect', [{ key: 'k', value: 'v', effect: 'NoBind' }], true],
    ['another effect', [{ key: 'k', value: 'v', effect: 'Evict' }], false],
    [
      'one of several is enough',
      [
        { key: 'j', operator: 'Exists' },
        { key: 'k', operator: 'Exists' },
      ],
      true,
    ],
  ]
  for (const [what, given, answer] of rows) it(what, () => expect(tolerates(given, taint)).toBe(answer))
  it('a taint without a value is equal to a toleration without one', () =>
    expect(tolerates([{ key: 'k' }], { key: 'k', effect: 'NoBind' })).toBe(true))
})
