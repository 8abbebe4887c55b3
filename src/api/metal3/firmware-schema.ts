import { kind } from '../kind.ts'
import { array, boolean, int64, integer, map, object, oneOf, optional, string } from '../schema.ts'
import { metal3 } from './group.ts'

const setting = () =>
  object(
    {
      attribute_type: optional(oneOf(['Enumeration', 'String', 'Integer', 'Boolean', 'Password'], 'Of which type it is.')),
      allowable_values: optional(array(string('A value.'), 'What an enumeration may be.')),
      lower_bound: optional(int64('The smallest number.')),
      upper_bound: optional(int64('The largest number.')),
      min_length: optional(integer('How short a text may be.')),
      max_length: optional(integer('How long a text may be.')),
      read_only: optional(boolean('Whether it cannot be set.')),
      unique: optional(boolean('Whether it is another on each machine.')),
    },
    'What one setting may be.',
  )

const spec = () =>
  object(
    {
      hardwareVendor: optional(string('Who made the machines.')),
      hardwareModel: optional(string('Which machines they are.')),
      schema: map(setting(), 'What may be set to what, by name.'),
    },
    'What machines say of their BIOS settings.',
  )

export const firmwareSchema = kind({
  ...metal3,
  kind: 'FirmwareSchema',
  plural: 'firmwareschemas',
  scope: 'Namespaced',
  description:
    'What BIOS settings may be, as the machines themselves say. Machines that say the same share one; it goes with the last HostFirmwareSettings that names it.',
  fields: { spec: optional(spec()) },
  columns: [
    { name: 'Vendor', type: 'string', jsonPath: '.spec.hardwareVendor' },
    { name: 'Model', type: 'string', jsonPath: '.spec.hardwareModel' },
  ],
  example: {
    metadata: { name: 'schema-4bcc035f', namespace: 'metal-cluster' },
    spec: {
      hardwareVendor: 'Rackwright',
      hardwareModel: 'Sim R1',
      schema: { ProcVirtualization: { attribute_type: 'Enumeration', allowable_values: ['Enabled', 'Disabled'], read_only: false } },
    },
  },
})
