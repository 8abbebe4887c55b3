import { kind } from '../kind.ts'
import { array, immutable, int64, integer, object, oneOf, optional, string } from '../schema.ts'
import { conditions, observedGeneration, time } from '../shapes.ts'

const detail = () =>
  object(
    {
      updateTime: time('When the boot image was written, or first seen.'),
      bootImageVersion: string('The release of the stream that it is from.'),
      configMapGeneration: int64('Which content of the ConfigMap coreos-bootimages said so, counted.'),
      image: optional(string('The boot image itself.')),
    },
    'One boot image that the machine resource had.',
  )

/** What the controller must remember over restarts to be safe: what it is about to write, how often that did not last, and how long it fails. */
const sync = () =>
  object(
    {
      decision: oneOf(['Current', 'Updating', 'Skipped', 'Failed', 'Paused', 'Waiting'], 'What was decided about it last.'),
      image: optional(string('The boot image that it names.')),
      target: optional(string('The boot image that it should name.')),
      written: optional(integer('How often this target was written and did not last.')),
      failures: optional(integer('Failures in a row, up to the threshold.')),
      failingSince: optional(time('Since when it fails.')),
      configMapGeneration: optional(int64('For which content of the ConfigMap this was decided.')),
      canary: optional(oneOf(['Trying', 'Proven', 'Failed'], 'Where this is the resource that is tried first.')),
      since: optional(time('Since when it is tried.')),
    },
    'Where its boot image stands.',
  )

export const bootImageHistory = kind({
  group: 'machineconfiguration.openshift.io',
  version: 'v1alpha1',
  kind: 'BootImageHistory',
  plural: 'bootimagehistories',
  shortNames: ['bih'],
  categories: [],
  scope: 'Namespaced',
  description:
    'The boot images that one machine resource had, and what is being done about the one it has. Made by the boot image controller, in the namespace of what it describes.',
  fields: {
    spec: object(
      {
        machineResourceReference: immutable(
          object(
            {
              name: string('Its name.', { minLength: 1, maxLength: 253 }),
              resource: string('What it is: machinesets or machinedeployments. MachineSet and machineset are understood too.', {
                minLength: 1,
                maxLength: 63,
              }),
              apiGroup: string('Its API group.', { minLength: 1, maxLength: 253 }),
            },
            'The machine resource.',
          ),
          'machineResourceReference',
        ),
        restore: optional(string('A boot image of the list to go back to and stay at.', { maxLength: 1024 })),
        paused: optional(string('Why nothing shall be written for now, in the words of whoever wants it so.', { maxLength: 1024 })),
      },
      'Whose history it is.',
    ),
    status: optional(
      object(
        {
          details: optional(array(detail(), 'The boot images, oldest first.')),
          sync: optional(sync()),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What is known.',
      ),
    ),
  },
  columns: [
    { name: 'Resource', type: 'string', jsonPath: '.spec.machineResourceReference.name' },
    { name: 'Decision', type: 'string', jsonPath: '.status.sync.decision' },
    { name: 'Image', type: 'string', jsonPath: '.status.sync.image' },
    { name: 'Target', type: 'string', jsonPath: '.status.sync.target', priority: 1 },
  ],
  example: {
    metadata: { name: 'c1-worker-a-mapi-machinesets', namespace: 'openshift-machine-api' },
    spec: { machineResourceReference: { name: 'c1-worker-a', resource: 'machinesets', apiGroup: 'machine.openshift.io' } },
  },
})
