import { kind } from '../kind.ts'
import { array, immutable, object, oneOf, optional, rule, string } from '../schema.ts'
import { conditions, labelSelector, objectRef, observedGeneration } from '../shapes.ts'
import { bootPolicy } from './boot-policy.ts'
import { metal } from './group.ts'

const toleration = () =>
  object(
    {
      key: optional(string('The taint’s key; missing together with Exists means every taint.')),
      operator: optional(oneOf(['Equal', 'Exists'], 'Whether the value counts. Equal where missing.')),
      value: optional(string('The taint’s value.')),
      effect: optional(oneOf(['NoBind', 'Evict'], 'The taint’s effect; missing means any.')),
    },
    'A taint that does not keep this claim away.',
  )

const spec = () =>
  rule(
    rule(
      object(
        {
          power: oneOf(['On', 'Off'], 'Whether the server shall be on.'),
          image: string('The OCI image that is installed.', { minLength: 1, maxLength: 1024 }),
          serverRef: optional(immutable(objectRef('The Server; filled in where a free one was chosen.'), 'serverRef')),
          serverSelector: optional(immutable(labelSelector('Which servers are good enough.'), 'serverSelector')),
          ignitionSecretRef: optional(objectRef('A Secret in the same namespace whose key ignition configures the system.')),
          userDataRef: optional(objectRef('A Secret in the same namespace of type metal.ironcore.dev/user-data.')),
          tolerations: optional(array(toleration(), 'Taints that do not keep this claim away.')),
          bootPolicy: optional(bootPolicy()),
        },
        'What is wanted.',
      ),
      '!has(oldSelf.serverRef) || has(self.serverRef)',
      'serverRef cannot be removed once it is set',
    ),
    '!has(oldSelf.serverSelector) || has(self.serverSelector)',
    'serverSelector cannot be removed once it is set',
  )

const status = () =>
  object(
    {
      phase: optional(oneOf(['Bound', 'Unbound'], 'Whether the claim has its server.')),
      binding: optional(
        object(
          { server: string('The Server’s name.'), serverUID: string('The Server’s UID.') },
          'The server that this claim is about to take, noted before it is taken.',
        ),
      ),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const serverClaim = kind({
  ...metal,
  moves: true,
  kind: 'ServerClaim',
  plural: 'serverclaims',
  shortNames: ['scl'],
  scope: 'Namespaced',
  description: 'Somebody wants a server, installed with an image. Deleting the claim gives the server back.',
  fields: { spec: spec(), status: optional(status()) },
  columns: [
    { name: 'Server', type: 'string', jsonPath: '.spec.serverRef.name' },
    { name: 'Ignition', type: 'string', jsonPath: '.spec.ignitionSecretRef.name', priority: 1 },
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Power', type: 'string', jsonPath: '.spec.power', priority: 1 },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  ],
  example: {
    metadata: { name: 'my-claim', namespace: 'default' },
    spec: {
      power: 'On',
      image: 'registry.example.com/os:latest',
      ignitionSecretRef: { name: 'my-ignition' },
      bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' },
    },
  },
})
