import { kind } from '../kind.ts'
import { defaulted, integer, object, oneOf, optional, rule, string } from '../schema.ts'
import { conditions, objectRef, observedGeneration } from '../shapes.ts'
import { metal } from './group.ts'
import { bootFields } from './server-boot-configuration.ts'

const template = () =>
  object(
    {
      name: optional(string('Has no effect: the configuration is named after the maintenance.')),
      spec: object(
        { serverRef: optional(objectRef('The Server; where given, the one of the maintenance.')), ...bootFields() },
        'What is booted, and how. The boot is always that of firstBoot.',
      ),
    },
    'What the server boots while the maintenance lasts; nothing where missing.',
  )

const spec = () =>
  rule(
    object(
      {
        serverRef: objectRef('The Server to be worked on.'),
        policy: optional(
          oneOf(['OwnerApproval', 'Enforced'], 'Whether the owner of the claim has to agree first. OwnerApproval where missing.'),
        ),
        priority: defaulted(integer('Of several maintenances for one server, the highest goes first.'), 0),
        serverPower: optional(oneOf(['On', 'Off'], 'Whether the server shall be on meanwhile.')),
        locatorLED: optional(oneOf(['Unknown', 'Lit', 'Blinking', 'Off'], 'What its locator light shows meanwhile.')),
        serverBootConfigurationTemplate: optional(template()),
      },
      'What is wanted.',
    ),
    '!has(self.serverBootConfigurationTemplate) || !has(self.serverBootConfigurationTemplate.spec.serverRef) || self.serverBootConfigurationTemplate.spec.serverRef.name == self.serverRef.name',
    'serverBootConfigurationTemplate.spec.serverRef must name the server of the maintenance',
  )

export const serverMaintenance = kind({
  ...metal,
  moves: true,
  kind: 'ServerMaintenance',
  plural: 'servermaintenances',
  shortNames: ['sm'],
  scope: 'Namespaced',
  description:
    'Takes a server out of service for work, claimed or not, and boots it for that. Deleting it puts the server back. The annotation metal.ironcore.dev/reason (or maintenance-reason) says why.',
  fields: {
    spec: spec(),
    status: optional(
      object(
        {
          state: optional(oneOf(['Pending', 'InMaintenance', 'Failed'], 'How far it has come.')),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What became of it.',
      ),
    ),
  },
  columns: [
    { name: 'ServerRef', type: 'string', jsonPath: '.spec.serverRef.name' },
    { name: 'Policy', type: 'string', jsonPath: '.spec.policy' },
    { name: 'Priority', type: 'integer', jsonPath: '.spec.priority', priority: 1 },
    { name: 'Reason', type: 'string', jsonPath: '.metadata.annotations.metal\\.ironcore\\.dev/reason' },
    { name: 'MaintenanceReason', type: 'string', jsonPath: '.metadata.annotations.metal\\.ironcore\\.dev/maintenance-reason', priority: 1 },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
  ],
  example: {
    metadata: { name: 'firmware-update', namespace: 'default', annotations: { 'metal.ironcore.dev/reason': 'Scheduled firmware update' } },
    spec: {
      serverRef: { name: 'my-server' },
      policy: 'Enforced',
      priority: 100,
      serverPower: 'On',
      serverBootConfigurationTemplate: {
        name: 'firmware-update-boot',
        spec: {
          serverRef: { name: 'my-server' },
          image: 'registry.example.com/firmware-update:uki',
          ignitionSecretRef: { name: 'firmware-update-ignition' },
          bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
        },
      },
    },
  },
})
