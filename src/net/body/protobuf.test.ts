import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import { isObject, type Json } from '../../core/json.ts'
import samples from './generated/samples.json' with { type: 'json' }
import { decodeProtobuf } from './protobuf.ts'

/** Go writes null for lists and times that are not set; for us those are absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([k, v]) => (v === null ? [] : [[k, withoutNulls(v)]])))
}

const wire = (sample: { wire: string }) => new Uint8Array(Buffer.from(sample.wire, 'base64'))

/** A length-delimited field. */
const field = (number: number, content: Uint8Array | string): Uint8Array => {
  const bytes = Buffer.from(content)
  const length: number[] = []
  for (let n = bytes.length; ; n >>>= 7) {
    length.push(n > 127 ? (n & 127) | 128 : n)
    if (n <= 127) break
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
}
const envelope = (apiVersion: string, kind: string, raw: Uint8Array, ...more: Uint8Array[]) =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])), field(2, raw), ...more])

const refused = (bytes: Uint8Array): { code: number; message: string } => {
  try {
    decodeProtobuf(bytes)
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 0, message: '' }
}

describe('decodeProtobuf()', () => {
  samples.forEach((sample, i) => {
    it(`reads ${i % 2 ? 'a full' : 'an empty'} ${sample.kind} as Kubernetes itself shows it in JSON`, () => {
      expect(decodeProtobuf(wire(sample))).toEqual(withoutNulls(sample.json))
    })
  })

  it('takes the type from the caller where the envelope names no kind', () => {
    const bytes = envelope('', '', field(2, Buffer.concat([field(1, 'key'), field(2, 'value')])))
    expect(decodeProtobuf(bytes, 'io.k8s.api.core.v1.ConfigMap')).toEqual({ metadata: {}, data: { key: 'value' } })
  })

  it('merges a message that comes in two parts', () => {
    const bytes = envelope('v1', 'ConfigMap', Buffer.concat([field(1, field(1, 'a')), field(1, field(3, 'b'))]))
    expect(decodeProtobuf(bytes)).toMatchObject({ metadata: { name: 'a', namespace: 'b' } })
  })

  it('reads packed numbers', () => {
    // Job.spec (2) .template (6) .spec (2) .securityContext (14) .supplementalGroups (4)
    const groups = field(4, new Uint8Array([1, 0xac, 2]))
    const read = decodeProtobuf(envelope('batch/v1', 'Job', field(2, field(6, field(2, field(14, groups))))))
    expect(read).toMatchObject({ spec: { template: { spec: { securityContext: { supplementalGroups: [1, 300] } } } } })
  })

  const entry = (key: string) => field(2, Buffer.concat([field(1, key), field(2, 'v')]))
  const hostile: Record<string, readonly [Uint8Array, number]> = {
    'no bytes at all': [new Uint8Array(), 400],
    'JSON under its name': [Buffer.from('{}'), 400],
    'a kind that has no wire type': [envelope('v1', 'Pod', new Uint8Array()), 415],
    'a kind named like a method of objects': [envelope('v1', 'constructor', new Uint8Array()), 415],
    'an envelope that holds JSON': [envelope('v1', 'Secret', Buffer.from('{}'), field(4, 'application/json')), 415],
    'a compressed envelope': [envelope('v1', 'Secret', new Uint8Array(), field(3, 'gzip')), 400],
    'a length beyond the end': [envelope('v1', 'Secret', Buffer.from([0x0a, 0x7f])), 400],
    'a length of 2^63': [envelope('v1', 'Secret', Buffer.from([0x0a, ...Array(9).fill(0xff), 1])), 400],
    'a number without an end': [envelope('v1', 'Secret', Buffer.from(Array(11).fill(0xff))), 400],
    'field number zero': [envelope('v1', 'Secret', Buffer.from([0x02, 0x00])), 400],
    'the wire type of a group': [envelope('v1', 'Secret', Buffer.from([0x0b])), 400],
    'a number where a message belongs': [envelope('v1', 'Secret', Buffer.from([0x08, 0x01])), 400],
    'a map key named __proto__': [envelope('v1', 'ConfigMap', entry('__proto__')), 400],
    'a time after the year 9999': [envelope('v1', 'Namespace', field(1, field(8, Buffer.from([0x08, ...Array(8).fill(0xff), 0x7f])))), 400],
    'more than 50,000 map entries': [
      envelope('v1', 'ConfigMap', Buffer.concat(Array.from({ length: 50_001 }, (_, i) => entry(`k${i}`)))),
      400,
    ],
    'two bytes a container, 60,000 times': [
      envelope('batch/v1', 'Job', field(2, field(6, field(2, Buffer.concat(Array(60_000).fill(Buffer.from([0x12, 0]))))))),
      400,
    ],
    'more than 3 MiB': [new Uint8Array(3 * 1024 * 1024 + 1), 413],
  }
  for (const [what, [bytes, code]] of Object.entries(hostile))
    it(`refuses ${what} with words`, () => {
      const found = refused(bytes)
      expect(found.code).toBe(code)
      expect(found.message).toMatch(/^Cannot /)
    })

  it('answers every body that is cut short with an object or a refusal', () => {
    for (const sample of samples) for (let n = 0; n < wire(sample).length; n += 7) refused(wire(sample).subarray(0, n))
  })

  it('answers flipped bytes with an object or a refusal, never anything else', () => {
    const many = samples.filter((_, i) => i % 2 === 1).map(wire)
    fc.assert(
      fc.property(fc.nat(many.length - 1), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }), (which, flips) => {
        const bytes = Uint8Array.from(many[which] ?? [])
        for (const [at, value] of flips) bytes[4 + (at % (bytes.length - 4))] = value
        refused(bytes)
      }),
      { numRuns: 500 },
    )
    expect(({} as Record<string, Json>)['polluted']).toBeUndefined()
  })
})
