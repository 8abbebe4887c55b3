import { kind } from '../kind.ts'
import { array, defaulted, immutable, int64, object, oneOf, optional, string } from '../schema.ts'
import { conditions, labelSelector, observedGeneration } from '../shapes.ts'
import { metal } from './group.ts'

const required = () =>
  array(
    object(
      {
        type: string('The condition of the Server.', { minLength: 1, maxLength: 316 }),
        requiredStatus: oneOf(['True', 'False', 'Unknown'], 'What it must be. A condition that is missing is none of these.'),
      },
      'One condition.',
    ),
    'All of these must hold.',
    { minItems: 1, maxItems: 32 },
  )

const spec = () =>
  immutable(
    object(
      {
        conditions: required(),
        enforcementMode: oneOf(
          ['BootstrapOnly', 'Continuous'],
          'Whether the taint stays away once the conditions held, or comes back when they do not hold any more.',
        ),
        taint: object(
          {
            key: string('Its key.', { minLength: 1, maxLength: 253 }),
            value: optional(string('Its value.')),
            effect: defaulted(oneOf(['NoBind', 'Evict'], 'NoBind keeps claims away; Evict is reserved.'), 'NoBind'),
          },
          'What a Server bears that is not ready.',
        ),
        serverSelector: optional(labelSelector('Which servers it is about; all where it is left out.')),
      },
      'What makes a server ready.',
    ),
    'spec',
  )

export const serverReadinessRule = kind({
  ...metal,
  kind: 'ServerReadinessRule',
  plural: 'serverreadinessrules',
  shortNames: ['srr'],
  scope: 'Cluster',
  description: 'Keeps claims away from servers until their conditions are as required, by a taint.',
  fields: {
    spec: spec(),
    status: optional(
      object(
        {
          notReady: optional(int64('How many of its servers are not ready.')),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What became of it.',
      ),
    ),
  },
  columns: [
    { name: 'Mode', type: 'string', jsonPath: '.spec.enforcementMode' },
    { name: 'Taint', type: 'string', jsonPath: '.spec.taint.key' },
    { name: 'NotReady', type: 'integer', jsonPath: '.status.notReady' },
  ],
  example: {
    metadata: { name: 'wired' },
    spec: {
      conditions: [{ type: 'NetworkReady', requiredStatus: 'True' }],
      enforcementMode: 'Continuous',
      taint: { key: 'example.com/not-wired', effect: 'NoBind' },
      serverSelector: { matchLabels: { pool: 'compute' } },
    },
  },
})
