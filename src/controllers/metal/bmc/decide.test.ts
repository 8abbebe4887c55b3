import { describe, expect, it } from 'vitest'
import { decide, type Reached, type Seen } from './decide.ts'

const answered: Reached = {
  is: 'answered',
  uuid: 'u1',
  manufacturer: 'Dell',
  model: 'R750',
  serial: 'S1',
  state: 'Enabled',
  firmware: '7.0',
  system: '/redfish/v1/Systems/1',
}
const seen = (rest: Partial<Seen> = {}): Seen => ({
  name: 'b1',
  deleting: false,
  protocol: 'Redfish',
  ip: '10.0.0.1',
  reached: answered,
  noted: 'u1',
  servers: [{ name: 'b1-system-0', systemUUID: 'u1', same: true }],
  twins: [],
  ...rest,
})
const ready = (given: Seen) => decide(given).status.conditions?.find(c => c.type === 'Ready')

describe('decide()', () => {
  it('makes a Server for a machine that has none', () => {
    expect(decide(seen({ servers: [] }))).toMatchObject({
      actions: [{ do: 'createServer', systemUUID: 'u1', systemURI: '/redfish/v1/Systems/1' }],
      status: { manufacturer: 'Dell' },
    })
  })
  it('I31 says which machine it is before it makes a Server, so that a twin is seen', () => {
    expect(decide(seen({ servers: [], noted: undefined }))).toMatchObject({ actions: [], status: { systemUUID: 'u1' } })
  })
  it('looks now and then at one that answers, and changes nothing', () => {
    expect(decide(seen())).toMatchObject({ because: 'Dell R750 answers', actions: [], again: 60_000, status: { state: 'Enabled' } })
    expect(ready(seen())).toMatchObject({ status: 'True' })
  })
  const troubles: readonly (readonly [what: string, given: Seen, reason: string])[] = [
    [
      'nobody answers',
      seen({ reached: { is: 'silent', code: 'bmc/unreachable', because: 'Cannot reach it: refused', hint: 'Check the address' } }),
      'BmcUnreachable',
    ],
    ['I20 another machine answers', seen({ servers: [{ name: 's', systemUUID: 'u2', same: false }] }), 'AnotherMachine'],
    ['I31 another BMC reports the same UUID', seen({ twins: ['BMC b2'] }), 'DuplicateIdentity'],
    ['I31 another BMC reports the same UUID before there is a Server', seen({ twins: ['BMC b2'], servers: [] }), 'DuplicateIdentity'],
    ['two Servers name it', seen({ servers: ['s', 't'].map(name => ({ name, systemUUID: 'u1', same: true })) }), 'SeveralServers'],
    ['I31 the machine has no identity', seen({ reached: { ...answered, uuid: undefined } }), 'NoIdentity'],
    ['another protocol is asked for', seen({ protocol: 'IPMI', reached: undefined }), 'ProtocolNotSupported'],
    ['there is no address yet', seen({ ip: undefined, reached: undefined }), 'NoAddress'],
  ]
  for (const [what, given, reason] of troubles) {
    it(`is not ready, and does nothing, when ${what}`, () => {
      expect(ready(given)).toMatchObject({ status: 'False', reason })
      expect(decide(given).actions).toEqual([])
    })
  }
  it('says what to do about it', () => {
    expect(
      ready(seen({ reached: { is: 'silent', code: 'bmc/x', because: 'Cannot log in: refused', hint: 'Check the Secret' } }))?.message,
    ).toBe('Cannot log in: refused. Check the Secret')
  })
})
