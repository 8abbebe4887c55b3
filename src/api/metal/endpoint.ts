import { kind } from '../kind.ts'
import { object, optional, string } from '../schema.ts'
import { conditions, macAddress, observedGeneration } from '../shapes.ts'
import { metal } from './group.ts'

export const endpoint = kind({
  ...metal,
  moves: true,
  kind: 'Endpoint',
  plural: 'endpoints',
  shortNames: ['mep'],
  scope: 'Cluster',
  description: 'An address on the management network where a management controller was seen.',
  fields: {
    spec: object(
      { macAddress: macAddress('Its hardware address.'), ip: string('Its IP address, v4 or v6.', { maxLength: 45 }) },
      'What was seen.',
    ),
    status: optional(
      object({ observedGeneration: optional(observedGeneration()), conditions: optional(conditions()) }, 'What became of it.'),
    ),
  },
  columns: [
    { name: 'MacAddress', type: 'string', jsonPath: '.spec.macAddress' },
    { name: 'IP', type: 'string', jsonPath: '.spec.ip' },
  ],
  example: { metadata: { name: 'rack-1-slot-4' }, spec: { macAddress: '52:54:00:12:34:56', ip: '10.0.0.14' } },
})
