import { describe, expect, it } from 'vitest'
import { type Moved, restamp, restampStatus } from '../../src/cli/move/restamp.ts'

const object = (uid: string, generation: number, status: object = {}) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', uid, generation },
  status,
})
const moved = (from: Moved['from'], to: Moved['to']): Moved => ({ from, to })
const stamps = new Map([['old-1', moved(object('old-1', 7), object('new-1', 1))]])

describe('restamp()', () => {
  it('replaces the identity of a moved object wherever it stands, and nothing else', () =>
    expect(restamp({ a: 'old-1', b: ['old-1', 'other'], c: { uid: 'old-1', name: 'x' } }, stamps)).toEqual({
      a: 'new-1',
      b: ['new-1', 'other'],
      c: { uid: 'new-1', name: 'x' },
    }))
  it('takes the generation beside an identity along, if it was the one that moved', () => {
    expect(restamp({ uid: 'old-1', generation: 7 }, stamps)).toEqual({ uid: 'new-1', generation: 1 })
    expect(restamp({ uid: 'old-1', generation: 6 }, stamps)).toEqual({ uid: 'new-1', generation: 6 })
    expect(restamp({ uid: 'other', generation: 7 }, stamps)).toEqual({ uid: 'other', generation: 7 })
  })
  it('of a status lets what was seen of the old generation be seen of the new one', () => {
    const status = { observedGeneration: 7, image: { generation: 7 }, conditions: [{ type: 'A', observedGeneration: 6 }] }
    expect(restampStatus(moved(object('old-2', 7, status), object('new-2', 2)), stamps)).toEqual({
      observedGeneration: 2,
      image: { generation: 2 },
      conditions: [{ type: 'A', observedGeneration: 6 }],
    })
  })
})
