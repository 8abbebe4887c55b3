import { expect, it } from 'vitest'
import { entryFor, type PrefixEntry } from './mac-prefix.ts'

const entry = (macPrefix: string, manufacturer: string): PrefixEntry => ({
  macPrefix,
  manufacturer,
  protocol: { name: 'Redfish', port: 443 },
  credentials: { name: manufacturer.toLowerCase(), kind: 'BMCSecret' },
})
const table = [entry('3C:A8:2A', 'HPE'), entry('3ca82a01', 'Lab'), entry('D0-94-66', 'Dell'), entry('', 'Nobody')]

it('the longest prefix that fits wins, however it is spelled; an empty one fits nothing', () => {
  expect(entryFor('3c:a8:2a:ff:00:01', table)?.manufacturer).toBe('HPE')
  expect(entryFor('3C-A8-2A-01-00-01', table)?.manufacturer).toBe('Lab')
  expect(entryFor('d0:94:66:00:00:01', table)?.manufacturer).toBe('Dell')
  expect(entryFor('52:54:00:00:00:01', table)).toBeUndefined()
})
