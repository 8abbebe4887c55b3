import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copyJson, freezeJson, sameJson } from './json.ts'

it('copyJson() makes an equal value that shares nothing, whatever the keys are called', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const copy = copyJson(freezeJson(JSON.parse(JSON.stringify(value))))
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
      expect(sameJson(copy, value)).toBe(JSON.stringify(copy) === JSON.stringify(value))
    }),
  )
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}')
  expect(JSON.stringify(copyJson(odd))).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}')
  expect(copyJson(odd).a).toBeUndefined()
})

it('sameJson() never takes an inherited field for a present one', () => {
  expect(sameJson(JSON.parse('{"__proto__":{}}'), {})).toBe(false)
  expect(sameJson({}, JSON.parse('{"__proto__":{}}'))).toBe(false)
  expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  expect(sameJson({ b: undefined }, { a: 1 })).toBe(false)
})
