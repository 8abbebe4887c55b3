import { array, int64, listMap, map, object, oneOf, optional, type Schema, string } from './schema.ts'

// Values that many kinds share.

/** A Kubernetes quantity: `16Gi`, `500m`, or a bare number. */
export const quantity = (description: string): Schema<string | number> => ({
  structural: {
    description,
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  },
})

export const intOrString = (description: string): Schema<string | number> => ({
  structural: { description, 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
})

/** A span as Go writes it: `30s`, `1h30m`. */
export const duration = (description: string): Schema<string> => string(description, { format: 'duration' })

/** A time in RFC 3339. */
export const time = (description: string): Schema<string> => string(description, { format: 'date-time' })

export const macAddress = (description: string): Schema<string> =>
  string(description, { pattern: '^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$' })

/** Names another object of a kind that the field's name says: in the same namespace, or of a cluster-scoped kind. */
export const objectRef = (description: string) =>
  object({ name: string('Its name.', { minLength: 1, maxLength: 253 }) }, description, { 'x-kubernetes-map-type': 'atomic' })

/** Names an object of a namespaced kind from anywhere. */
export const namespacedRef = (description: string) =>
  object(
    { namespace: string('Its namespace.', { minLength: 1, maxLength: 63 }), name: string('Its name.', { minLength: 1, maxLength: 253 }) },
    description,
    { 'x-kubernetes-map-type': 'atomic' },
  )

export const labelSelector = (description: string) =>
  object(
    {
      matchLabels: optional(map(string('The value.'), 'Labels that must have these values.')),
      matchExpressions: optional(
        array(
          object(
            {
              key: string('The label.'),
              operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist'], 'How the label compares.'),
              values: optional(array(string('A value.'), 'What In and NotIn compare with.')),
            },
            'One requirement.',
          ),
          'Requirements that must all hold.',
        ),
      ),
    },
    description,
    { 'x-kubernetes-map-type': 'atomic' },
  )

export const conditions = () =>
  listMap(
    ['type'],
    object(
      {
        type: string('What the condition is about.', { maxLength: 316 }),
        status: oneOf(['True', 'False', 'Unknown'], 'Whether it holds.'),
        reason: string('Why, in one word for programs.', { minLength: 1, maxLength: 1024 }),
        message: string('Why, in words for people.', { maxLength: 32_768 }),
        lastTransitionTime: time('When the status last changed.'),
        observedGeneration: optional(int64('The generation of the object that was looked at.', { minimum: 0 })),
      },
      'One thing that is known about the object.',
    ),
    'What is known about the object, one entry per type.',
  )

export const observedGeneration = () => int64('The newest generation of the object that this status is about.')
