import { describe, expect, it } from 'vitest'
import { machineName, readUuid, sameUuid, swapped } from './identity.ts'

const uuid = '12345678-9abc-def0-1234-56789abcdef0'

describe('sameUuid()', () => {
  const same = [
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    '78563412-bc9a-f0de-1234-56789abcdef0',
    '{12345678-9ABC-DEF0-1234-56789ABCDEF0}',
  ]
  for (const other of same) it(`knows ${other} for the same machine`, () => expect(sameUuid(uuid, other)).toBe(true))
  const different = ['12345678-9abc-def0-1234-56789abcdef1', '00000000-0000-0000-0000-000000000000', '', 'nonsense']
  for (const other of different) it(`does not take ${other || 'nothing'} for it`, () => expect(sameUuid(uuid, other)).toBe(false))
  it('I31 takes nobody for the machine without a number', () => {
    expect(sameUuid('00000000-0000-0000-0000-000000000000', '00000000000000000000000000000000')).toBe(false)
    expect(readUuid('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')).toBeUndefined()
  })
  it('turning the bytes twice changes nothing', () => expect(swapped(swapped(uuid))).toBe(uuid))
  it('machineName() gives one name to all the texts that name one machine', () => {
    expect(new Set([uuid, uuid.toUpperCase(), swapped(uuid)].map(machineName)).size).toBe(1)
    expect(machineName('00000000-0000-0000-0000-000000000000')).toBeUndefined()
  })
})
