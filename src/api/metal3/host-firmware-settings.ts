import { kind } from '../kind.ts'
import { map, object, optional, string } from '../schema.ts'
import { conditions, intOrString, observedGeneration, time } from '../shapes.ts'
import { metal3 } from './group.ts'

const spec = () =>
  object(
    {
      settings: map(
        intOrString('What it is to be; truth values as "true" and "false".'),
        'BIOS settings by the names that the machine has for them. Those that are not named stay as they are.',
      ),
    },
    'What is wanted.',
  )

const status = () =>
  object(
    {
      schema: optional(
        object({ namespace: string('Its namespace.'), name: string('Its name.') }, 'The FirmwareSchema that says what may be set.', {
          'x-kubernetes-map-type': 'atomic',
        }),
      ),
      settings: optional(map(string('Its value.'), 'What the machine has now; passwords are left out.')),
      lastUpdated: optional(time('When something was last found to be another.')),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const hostFirmwareSettings = kind({
  ...metal3,
  kind: 'HostFirmwareSettings',
  plural: 'hostfirmwaresettings',
  shortNames: ['hfs'],
  scope: 'Namespaced',
  description:
    'The BIOS settings of the BareMetalHost of the same name: what they are, and what they are to be. Made with the host; set before it becomes available, and at a restart where its HostUpdatePolicy says so.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'Valid', type: 'string', jsonPath: '.status.conditions[?(@.type=="Valid")].status' },
    { name: 'Changed', type: 'string', jsonPath: '.status.conditions[?(@.type=="ChangeDetected")].status' },
  ],
  example: {
    metadata: { name: 'worker-0', namespace: 'metal-cluster' },
    spec: { settings: { ProcVirtualization: 'Disabled', BootDelaySeconds: 10 } },
  },
})
