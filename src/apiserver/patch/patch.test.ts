import fc from 'fast-check'
import { applyPatch, type Operation } from 'rfc6902'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import { copyJson, freezeJson, isObject, sameJson } from '../../core/json.ts'
import { jsonPatch } from './json-patch.ts'
import { mergePatch } from './merge-patch.ts'

const anyJson = fc.jsonValue({ maxDepth: 3 })
const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString'), anyJson)
const frozen = (value: unknown): unknown => freezeJson(JSON.parse(JSON.stringify(value)))

/** RFC 7386's own pseudo code, over entries so that no key means anything to it. */
function model(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const fields = new Map<string, unknown>(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) fields.delete(key)
    else fields.set(key, model(fields.get(key), value))
  }
  return Object.fromEntries(fields)
}

describe('mergePatch()', () => {
  it('does what RFC 7386 says, for any target and patch', () => {
    fc.assert(
      fc.property(objects, objects, (target, patch) => {
        const result = mergePatch(frozen(target), frozen(patch))
        expect(sameJson(result, model(target, patch))).toBe(true)
      }),
    )
  })

  it('shares no changeable structure with its inputs', () => {
    const [target, patch] = [frozen({ a: { b: [{}] }, c: {} }), frozen({ c: { d: { e: [] } } })]
    const shares = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (Object.isFrozen(value) || Object.values(value).some(shares))
    expect(shares(mergePatch(target, patch))).toBe(false)
  })

  it('takes __proto__ for a key', () => {
    const result = mergePatch(frozen({}), JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'))
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect((result as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('jsonPatch()', () => {
  const document = frozen({ metadata: { labels: { 'a/b': 'x', 'c~d': 'y' } }, list: [1, 2, 3], empty: null })
  it.each([
    [[{ op: 'add', path: '/list/1', value: 9 }], { list: [1, 9, 2, 3] }],
    [[{ op: 'add', path: '/list/-', value: 9 }], { list: [1, 2, 3, 9] }],
    [[{ op: 'replace', path: '/metadata/labels/a~1b', value: 'z' }], { metadata: { labels: { 'a/b': 'z', 'c~d': 'y' } } }],
    [[{ op: 'remove', path: '/metadata/labels/c~0d' }], { metadata: { labels: { 'a/b': 'x' } } }],
    [[{ op: 'move', from: '/list/0', path: '/list/2' }], { list: [2, 3, 1] }],
    [[{ op: 'copy', from: '/list', path: '/twin' }], { twin: [1, 2, 3] }],
    [[{ op: 'test', path: '/empty', value: null }], {}],
    [[{ op: 'test', path: '/missing', value: null }], {}],
    [[{ op: 'replace', path: '/toString', value: 1 }], { toString: 1 }],
    [
      [
        { op: 'test', path: '/list', value: [1, 2, 3] },
        { op: 'remove', path: '/list' },
      ],
      { list: undefined },
    ],
    [
      [
        { op: 'add', path: '/constructor', value: { prototype: 1 } },
        { op: 'add', path: '/constructor/x', value: 2 },
      ],
      { constructor: { prototype: 1, x: 2 } },
    ],
  ])('applies %j', (patch, changed) => {
    expect(sameJson(jsonPatch(document, patch), { ...(document as object), ...changed })).toBe(true)
  })

  it('may replace the whole document', () => {
    expect(jsonPatch(document, [{ op: 'replace', path: '', value: { a: 1 } }])).toEqual({ a: 1 })
  })

  it.each([
    [{}, 'BadRequest'],
    [[1], 'BadRequest'],
    [[{ op: 'sing', path: '/a' }], 'Invalid'],
    [[{ op: 'add', path: 'a', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/a~2', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/a' }], 'Invalid'],
    [[{ op: 'move', path: '/a' }], 'Invalid'],
    [[{ op: 'toString', path: '/a' }], 'Invalid'],
    [[{ op: 'remove', path: '/missing' }], 'Invalid'],
    [[{ op: 'replace', path: '/list/3', value: 1 }], 'Invalid'],
    [[{ op: 'test', path: '/list', value: [1] }], 'Invalid'],
    [[{ op: 'add', path: '/list/4', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/list/01', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/list/length', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/missing/deep', value: 1 }], 'Invalid'],
    [[{ op: 'move', from: '/metadata', path: '/metadata/labels/x' }], 'Invalid'],
    [[{ op: 'copy', from: '/__proto__', path: '/x' }], 'Invalid'],
    [[{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }], 'Invalid'],
    [[{ op: 'add', path: '/__proto__/polluted', value: 1 }], 'Invalid'],
    [Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/empty', value: null })), 'RequestEntityTooLarge'],
  ])('refuses %j as %s', (patch, reason) => {
    try {
      jsonPatch(document, patch)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).reason).toBe(reason)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('stops a patch that doubles the document over and over', () => {
    const doubling = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/x${i}` }))
    expect(() => jsonPatch({ a: 'x'.repeat(100) }, doubling)).toThrowError(/copy operations add more than/)
  })

  it('agrees with another implementation wherever both apply', () => {
    const paths = fc.constantFrom('/a', '/b', '/a/0', '/a/1', '/a/-', '/b/c', '/b/c/d', '/x')
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'copy', 'move'),
      path: paths,
      from: paths,
      value: fc.constantFrom(1, 'x', [1], { c: 2 }),
    })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 4 }), operations => {
        const start = { a: [1, 2], b: { c: { d: 1 } } }
        let ours: unknown
        try {
          ours = jsonPatch(freezeJson(copyJson(start)), operations)
        } catch {
          return
        }
        const theirs = copyJson(start)
        const errors = applyPatch(theirs, operations as Operation[])
        if (errors.every(error => error === null)) expect(ours).toEqual(theirs)
      }),
    )
  })
})
