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
  ambiguous: false,
  reached: answered,
  noted: 'u1',
  doubted: false,
  servers: [{ name: 'b1-system-0', systemUUID: 'u1', same: true }],
  twins: [],
  operation: undefined,
  busy: false,
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
    ['it says twice where it is', seen({ ambiguous: true, reached: undefined }), 'TwoAddresses'],
    ['there is no address yet', seen({ ip: undefined, reached: undefined }), 'NoAddress'],
  ]
  for (const [what, given, reason] of troubles) {
    it(`is not ready, and does nothing, when ${what}`, () => {
      expect(ready(given)).toMatchObject({ status: 'False', reason })
      expect(decide(given).actions).toEqual([])
    })
  }
  it('I31 a silence settles no doubt: what was said of its machine stays said', () => {
    const reached = { is: 'silent', code: 'bmc/unreachable', because: 'Cannot reach it: refused', hint: undefined } as const
    expect(decide(seen({ reached, doubted: true })).status.conditions).toBeUndefined()
    expect(ready(seen({ reached }))).toMatchObject({ reason: 'BmcUnreachable' })
  })
  it('says what to do about it', () => {
    expect(
      ready(seen({ reached: { is: 'silent', code: 'bmc/x', because: 'Cannot log in: refused', hint: 'Check the Secret' } }))?.message,
    ).toBe('Cannot log in: refused. Check the Secret')
  })

  const operations: readonly (readonly [what: string, given: Partial<Seen>, does: readonly string[]])[] = [
    ['restarts the controller when somebody asks', { operation: 'graceful-restart-bmc' }, ['restart']],
    ['I9 not while a job of its own is under way', { operation: 'graceful-restart-bmc', busy: true }, []],
    [
      'waits with that for one that is silent',
      { operation: 'graceful-restart-bmc', reached: { is: 'silent', code: 'bmc/x', because: 'no', hint: undefined } },
      [],
    ],
    ['takes away what nobody knows', { operation: 'sing' }, ['takeOperation']],
    ['I24 does nothing to one that is ignored', { operation: 'ignore', servers: [], reached: undefined }, []],
  ]
  for (const [what, given, does] of operations) it(what, () => expect(decide(seen(given)).actions.map(action => action.do)).toEqual(does))
})
