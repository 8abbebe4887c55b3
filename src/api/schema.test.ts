import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Of } from './kind.ts'
import type { server } from './metal/server.ts'
import type { serverClaim } from './metal/server-claim.ts'
import {
  array,
  boolean,
  defaulted,
  immutable,
  integer,
  listMap,
  map,
  object,
  oneOf,
  optional,
  rule,
  set,
  string,
  type TypeOf,
} from './schema.ts'
import { quantity } from './shapes.ts'

describe('the schema DSL', () => {
  const thing = object(
    {
      name: string('Its name.', { minLength: 1 }),
      mode: defaulted(oneOf(['Fast', 'Slow'], 'How fast.'), 'Slow'),
      size: optional(integer('How large.')),
      memory: optional(quantity('How much.')),
      tags: optional(set(string('A tag.'), 'Its tags.')),
      parts: optional(
        listMap(['id'], object({ id: string('Its id.'), ok: optional(boolean('Whether it works.')) }, 'A part.'), 'Its parts.'),
      ),
      notes: optional(map(array(string('A line.'), 'Lines.'), 'Notes by topic.')),
    },
    'A thing.',
  )

  it('infers the type that readers see', () => {
    expectTypeOf<TypeOf<typeof thing>['name']>().toEqualTypeOf<string>()
    expectTypeOf<TypeOf<typeof thing>['mode']>().toEqualTypeOf<'Fast' | 'Slow'>()
    expectTypeOf<TypeOf<typeof thing>>().toExtend<{ readonly size?: number; readonly tags?: readonly string[] }>()
    expectTypeOf<NonNullable<TypeOf<typeof thing>['parts']>[number]['id']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<TypeOf<typeof thing>['notes']>>().toEqualTypeOf<Readonly<Record<string, readonly string[]>>>()
    expectTypeOf<Of<typeof server>['spec']['reclaimPolicy']>().toEqualTypeOf<'Recycle' | 'Retain'>()
    expectTypeOf<NonNullable<NonNullable<Of<typeof server>['status']>['state']>>().toExtend<
      'Initial' | 'Discovery' | 'Available' | 'Reserved' | 'Released' | 'Maintenance' | 'Parked' | 'Error'
    >()
    expectTypeOf<NonNullable<Of<typeof serverClaim>['spec']['bootPolicy']>['firstBoot']>().toEqualTypeOf<
      'Pxe' | 'UefiHttp' | 'VirtualMedia'
    >()
  })

  it('asks writers only for what is neither optional nor defaulted', () => {
    expect(thing.structural.required).toEqual(['name'])
  })

  it('writes the structural dialect', () => {
    expect(thing.structural.properties).toMatchObject({
      name: { type: 'string', description: 'Its name.', minLength: 1 },
      mode: { type: 'string', enum: ['Fast', 'Slow'], default: 'Slow' },
      size: { type: 'integer', format: 'int32' },
      tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      parts: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] },
      notes: { type: 'object', additionalProperties: { type: 'array' } },
    })
  })

  it('collects rules', () => {
    const ruled = rule(immutable(thing, 'the thing'), 'self.size > 1', 'size must be larger')
    expect(ruled.structural['x-kubernetes-validations']).toEqual([
      { rule: 'self == oldSelf', message: 'the thing cannot be changed' },
      { rule: 'self.size > 1', message: 'size must be larger' },
    ])
  })
})
