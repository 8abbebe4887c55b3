import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import { duplicateFields } from './duplicates.ts'
import { decodeJson } from './json.ts'
import { jsonLimits } from './limits.ts'

const bytes = (text: string) => Buffer.from(text)
const refusal = (run: () => unknown): ApiError => {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** Decodes and counts how often the parser ran. */
function counted(text: string) {
  let parsed = 0
  const parse = (t: string): unknown => {
    parsed++
    return JSON.parse(t)
  }
  const error = refusal(() => decodeJson(bytes(text), { parse }))
  return { parsed, code: error.code, message: error.message }
}

describe('decodeJson()', () => {
  it('refuses nesting beyond 256 levels before the parser runs', () => {
    expect(counted('['.repeat(257) + ']'.repeat(257))).toMatchObject({
      parsed: 0,
      code: 400,
      message: expect.stringContaining('256 levels'),
    })
    expect(counted('{"a":'.repeat(257))).toMatchObject({ parsed: 0, code: 400 })
    expect(decodeJson(bytes('['.repeat(256) + ']'.repeat(256)))).toHaveLength(1)
  })

  it('refuses more than 50,000 keys before the parser runs', () => {
    const object = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"k${i}":0`).join(',')}}`
    expect(counted(object(50_001))).toMatchObject({ parsed: 0, code: 400, message: expect.stringContaining('50000 fields') })
    expect(Object.keys(decodeJson(bytes(object(50_000))) as object)).toHaveLength(50_000)
  })

  it('refuses more than 3 MiB with 413 before the parser runs', () => {
    expect(counted(`"${'x'.repeat(jsonLimits.bytes)}"`)).toMatchObject({ parsed: 0, code: 413 })
  })

  it('is not misled by brackets, colons and quotes inside strings', () => {
    const text = JSON.stringify({ a: `[{"\\${'['.repeat(600)}`, b: '\\', c: [':"'] })
    expect(decodeJson(bytes(text))).toEqual(JSON.parse(text))
  })

  it('refuses a key named __proto__, also when it is escaped', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__prot\\u006f__']) {
      const found = refusal(() => decodeJson(bytes(`{"metadata":{"${key}":{"polluted":true}}}`)))
      expect(found.toStatus()).toMatchObject({ code: 400, details: { causes: [{ field: '__proto__' }] } })
    }
    expect(decodeJson(bytes('{"a":"__proto__"}'))).toEqual({ a: '__proto__' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('answers malformed JSON with BadRequest, whatever the bytes', () => {
    for (const text of ['', '{', '{"a":}', 'nul', '\ufeff{}', '{"a":1}}'])
      expect(refusal(() => decodeJson(bytes(text))).code, text).toBe(400)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), input => {
        try {
          decodeJson(input)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })

  it('reads every JSON value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
        const text = JSON.stringify(value)
        if (!text.includes('"__proto__":')) expect(decodeJson(bytes(text))).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('duplicateFields()', () => {
  it('names the path of every field that stands twice, once', () => {
    const text = '{"spec":{"a":1,"a":2,"a":3,"list":[{"x":1},{"x":1,"y":[],"x":2}]},"m":{"\\u0061b":1,"ab":2},"spec":{}}'
    expect(duplicateFields(bytes(text))).toEqual(['spec.a', 'spec.list[1].x', 'm.ab', 'spec'])
  })

  it('finds none in objects that have none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(duplicateFields(bytes(JSON.stringify(value)))).toEqual([])
      }),
    )
  })
})
