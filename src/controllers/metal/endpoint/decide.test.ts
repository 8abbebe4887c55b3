import { describe, expect, it } from 'vitest'
import type { PrefixEntry } from '../../../policy/mac-prefix.ts'
import { decide, type Seen } from './decide.ts'

const entry: PrefixEntry = {
  macPrefix: '52:54:00',
  manufacturer: 'QEMU',
  protocol: { name: 'Redfish', port: 443 },
  credentials: { name: 'factory', kind: 'BMCSecret' },
}
const seen: Seen = { name: 'e1', deleting: false, macAddress: '52:54:00:00:00:01', entry, twin: undefined, bmc: 'none' }

describe('decide()', () => {
  const rows: readonly (readonly [reason: string, given: Partial<Seen>, verbs: readonly string[], because: string])[] = [
    ['X-001 makes a BMC where a controller was seen', {}, ['createBmc'], 'makes BMC e1: QEMU'],
    ['rests when it is there', { bmc: 'ours' }, [], 'BMC e1'],
    ['X-035 the older of two with one address wins', { twin: 'e0' }, [], 'Endpoint e0 has hardware address'],
    ['never touches a BMC of somebody else', { bmc: 'other' }, [], 'is not for this Endpoint'],
    ['says which prefix nobody knows', { entry: undefined }, [], '52:54:00:00:00:01'],
    ['leaves the BMC when it goes', { deleting: true, bmc: 'ours' }, [], 'stays until somebody deletes it'],
  ]
  for (const [reason, given, verbs, because] of rows)
    it(reason, () => {
      const plan = decide({ ...seen, ...given })
      expect(plan.actions.map(action => action.do)).toEqual(verbs)
      expect(plan.because).toContain(because)
    })
})
