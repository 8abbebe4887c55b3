import { kind } from '../kind.ts'
import { object, oneOf, optional } from '../schema.ts'
import { metal3 } from './group.ts'

const moments = ['onPreparing', 'onReboot'] as const

export const hostUpdatePolicy = kind({
  ...metal3,
  kind: 'HostUpdatePolicy',
  plural: 'hostupdatepolicies',
  scope: 'Namespaced',
  description:
    'When the firmware of the BareMetalHost of the same name may be changed: while it is prepared only, which is so where there is none, or also at a restart of an installed host.',
  fields: {
    spec: optional(
      object(
        {
          firmwareSettings: optional(oneOf(moments, 'When its HostFirmwareSettings are set.')),
          firmwareUpdates: optional(oneOf(moments, 'When what its HostFirmwareComponents asks for is written.')),
        },
        'What is wanted.',
      ),
    ),
  },
  columns: [
    { name: 'Settings', type: 'string', jsonPath: '.spec.firmwareSettings' },
    { name: 'Updates', type: 'string', jsonPath: '.spec.firmwareUpdates' },
  ],
  example: {
    metadata: { name: 'worker-0', namespace: 'metal-cluster' },
    spec: { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' },
  },
})
