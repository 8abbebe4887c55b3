import { describe, expect, it } from 'vitest'
import { isFalse } from '../core/condition.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import { faultPatch, statusPatch } from './status.ts'

const now = 1_800_000_000_000
const object = (status?: Record<string, unknown>, generation: number | undefined = 2): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', ...(generation === undefined ? {} : { generation }) },
  ...(status ? { status } : {}),
})

describe('statusPatch()', () => {
  it.each([
    { reason: 'the status says so already', status: { a: 1, observedGeneration: 2 }, decided: { a: 1 } },
    { reason: 'what is left out stays', status: { a: 1, b: 2, observedGeneration: 2 }, decided: { a: 1 } },
    { reason: 'what is to be removed is not there', status: { observedGeneration: 2 }, decided: { a: null } },
    { reason: 'parts of an object are said already', status: { a: { b: 1, c: 2 }, observedGeneration: 2 }, decided: { a: { b: 1 } } },
    { reason: 'undefined is nothing', status: { observedGeneration: 2 }, decided: { a: undefined } },
    { reason: 'nothing is decided and nothing was ever said', status: undefined, decided: {} },
  ])('is nothing where $reason', ({ status, decided }) => {
    expect(statusPatch(object(status), decided, true, now)).toBeUndefined()
  })

  it('leaves the generation out where the kind has no place for it', () => {
    expect(statusPatch(object({ a: 1 }), { a: 1 }, true, now, { hasGeneration: false })).toBeUndefined()
    expect(statusPatch(object({ a: 1 }), { a: 2 }, true, now, { hasGeneration: false })).toEqual({ a: 2 })
  })

  it.each([
    { reason: 'a value differs', status: { a: 1, observedGeneration: 2 }, decided: { a: 2 } },
    { reason: 'a value is to be removed', status: { a: 1, observedGeneration: 2 }, decided: { a: null } },
    { reason: 'a list is another', status: { a: [1], observedGeneration: 2 }, decided: { a: [1, 2] } },
    { reason: 'the generation was not observed yet', status: { a: 1, observedGeneration: 1 }, decided: { a: 1 } },
    { reason: 'the generation was not observed yet although nothing is decided', status: { observedGeneration: 1 }, decided: {} },
  ])('is all that was decided, with the generation, where $reason', ({ status, decided }) => {
    expect(statusPatch(object(status), decided, true, now)).toEqual({ ...decided, observedGeneration: 2 })
  })

  it('takes back a fault only where it works again', () => {
    const failed = { ...isFalse('Reconciled', 'x/y', 'Cannot: no'), lastTransitionTime: '2020-01-01T00:00:00Z' }
    const standing = object({ conditions: [failed], observedGeneration: 2 })
    expect(statusPatch(standing, {}, false, now)).toBeUndefined()
    expect(statusPatch(standing, {}, true, now)).toMatchObject({ conditions: [{ type: 'Reconciled', status: 'True' }] })
    expect(statusPatch(object({ observedGeneration: 2 }), {}, true, now)).toBeUndefined()
  })
})

it('faultPatch() tells a fault once, and leaves the generation to the decision', () => {
  const fault = new Fault('x/y', 'Cannot: no', 'backoff', { hint: 'Do.' })
  const patch = faultPatch(object({ observedGeneration: 1 }), fault, now)
  expect(patch).toEqual({
    conditions: [
      {
        type: 'Reconciled',
        status: 'False',
        reason: 'x/y',
        message: 'Cannot: no. Do.',
        lastTransitionTime: '2027-01-15T08:00:00Z',
        observedGeneration: 2,
      },
    ],
  })
  expect(faultPatch(object(patch as Record<string, unknown>), fault, now + 10_000)).toBeUndefined()
})
