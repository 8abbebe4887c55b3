import { kind } from '../kind.ts'
import { array, object, optional, string } from '../schema.ts'
import { conditions, observedGeneration, time } from '../shapes.ts'
import { metal3 } from './group.ts'

const update = () =>
  object(
    {
      component: string('Which component: bios, bmc, or a network adapter as nic: with its name.'),
      url: string('Where its image is; the host’s management controller fetches it.'),
    },
    'One component and its image.',
  )

const spec = () => object({ updates: array(update(), 'What is to be written, in this order.') }, 'What is wanted.')

const status = () =>
  object(
    {
      updates: optional(array(update(), 'What was written, and read back afterwards.')),
      components: optional(
        array(
          object(
            {
              component: string('Which component.'),
              initialVersion: string('Its version when it was first seen.'),
              currentVersion: optional(string('Its version now.')),
              lastVersionFlashed: optional(string('The version that ran after it was last written to.')),
              updatedAt: optional(time('When its version was last found to be another.')),
            },
            'One component.',
          ),
          'What the machine has.',
        ),
      ),
      lastUpdated: optional(time('When something was last found to be another.')),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const hostFirmwareComponents = kind({
  ...metal3,
  kind: 'HostFirmwareComponents',
  plural: 'hostfirmwarecomponents',
  scope: 'Namespaced',
  description:
    'The firmware of the BareMetalHost of the same name: which versions it has, and what is to be written. Made with the host where its management controller lists components.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'Valid', type: 'string', jsonPath: '.status.conditions[?(@.type=="Valid")].status' },
    { name: 'Changed', type: 'string', jsonPath: '.status.conditions[?(@.type=="ChangeDetected")].status' },
  ],
  example: {
    metadata: { name: 'worker-0', namespace: 'metal-cluster' },
    spec: { updates: [{ component: 'bios', url: 'https://firmware.example/BIOS-1.2.0.bin' }] },
  },
})
