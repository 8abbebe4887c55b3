import { kind } from '../kind.ts'
import { boolean, map, optional, string } from '../schema.ts'
import { metal } from './group.ts'

export const bmcSecret = kind({
  ...metal,
  moves: true,
  kind: 'BMCSecret',
  plural: 'bmcsecrets',
  shortNames: ['bmcsec'],
  scope: 'Cluster',
  description:
    'The credentials of a management controller: keys username and password. Encryption at rest that covers Secrets only does not cover it; a BMC may name a Secret instead.',
  fields: {
    immutable: optional(boolean('Once true, data cannot be changed any more.')),
    data: optional(map(string('The value in base64.', { format: 'byte' }), 'The credentials.')),
    stringData: optional(map(string('The value as it is.'), 'The credentials in plain text, for writing; values in data win.')),
    type: optional(string('What the secret is for, for programs that care.')),
  },
  columns: [],
  example: { metadata: { name: 'rack-1-slot-4' }, stringData: { username: 'admin', password: 'change-me' } },
})
