import { kind } from '../kind.ts'
import { array, defaulted, integer, object, oneOf, optional, string } from '../schema.ts'
import { labelSelector } from '../shapes.ts'
import { metal } from './group.ts'

const source = () =>
  object(
    {
      component: string('BIOS, or the name of a component as in a ServerFirmware.', { minLength: 1, maxLength: 256 }),
      manufacturer: optional(string('Who made the server (for a BIOS) or the component; any, where missing.', { maxLength: 256 })),
      model: optional(string('For which model of server; any, where missing.', { maxLength: 256 })),
      version: string('The version that it installs.', { minLength: 1, maxLength: 256 }),
      url: string('Where the image is.', { minLength: 1, maxLength: 2048, pattern: '^https?://' }),
      digest: string('What it must hash to: nothing else is handed to a BMC.', { pattern: '^sha256:[0-9a-f]{64}$' }),
      delivery: defaulted(
        oneOf(['Auto', 'Push', 'Pull'], 'Whether the image is sent to the BMC or fetched by it. Auto sends it where the BMC takes it.'),
        'Auto',
      ),
    },
    'One image.',
  )

export const jobRunner = kind({
  ...metal,
  kind: 'JobRunner',
  plural: 'jobrunners',
  shortNames: ['jrun'],
  scope: 'Cluster',
  description:
    'How the Jobs that scan and update servers are run. Read right before a Job is made, so that a change needs no restart. Of several that match an object the most specific counts: manufacturer and selector, then manufacturer, then selector (more requirements first), then none, then by name.',
  fields: {
    spec: object(
      {
        image: string('The container image that is run; its contract is in docs/guides/job-executors.md.', {
          minLength: 1,
          maxLength: 1024,
        }),
        serviceAccountName: defaulted(string('As whom it reads and updates objects.', { minLength: 1, maxLength: 253 }), 'rackwright-jobs'),
        namespace: optional(string('Where Jobs run; the namespace of the manager, where missing.', { minLength: 1, maxLength: 63 })),
        manufacturer: optional(
          string('Only for servers of this make, whatever the case of its letters.', { minLength: 1, maxLength: 256 }),
        ),
        selector: optional(labelSelector('Only for ServerBIOS and ServerFirmware objects with these labels.')),
        sources: defaulted(array(source(), 'Where versions come from.', { maxItems: 1024 }), []),
        configRef: optional(
          object(
            {
              kind: defaulted(oneOf(['ConfigMap', 'Secret'], 'What it is.'), 'ConfigMap'),
              name: string('Its name, in the namespace of the Jobs.', { minLength: 1, maxLength: 253 }),
            },
            'What else the program needs; mounted at /etc/rackwright/job.',
          ),
        ),
        backoffLimit: defaulted(integer('How often a Pod is started anew within one Job.', { minimum: 0, maximum: 20 }), 3),
        activeDeadlineSeconds: defaulted(integer('How long a Job may take.', { minimum: 60, maximum: 86_400 }), 7200),
        ttlSecondsAfterFinished: defaulted(integer('How long a finished Job is kept.', { minimum: 0, maximum: 604_800 }), 3600),
      },
      'How Jobs are run.',
    ),
  },
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Manufacturer', type: 'string', jsonPath: '.spec.manufacturer' },
    { name: 'Namespace', type: 'string', jsonPath: '.spec.namespace' },
  ],
  example: {
    metadata: { name: 'default' },
    spec: {
      image: 'rackwright.dev/rackwright',
      serviceAccountName: 'rackwright-jobs',
      sources: [
        {
          component: 'BIOS',
          manufacturer: 'Dell Inc.',
          version: '2.19.1',
          url: 'https://firmware.example.com/BIOS_2.19.1.exe',
          digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
    },
  },
})
