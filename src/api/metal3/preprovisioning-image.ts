import { kind } from '../kind.ts'
import { array, object, oneOf, optional, string } from '../schema.ts'
import { conditions } from '../shapes.ts'
import { metal3 } from './group.ts'

const format = (description: string) => oneOf(['iso', 'initrd'], description)

const spec = () =>
  object(
    {
      networkDataName: optional(string('A Secret in the same namespace with the network settings of the ramdisk.')),
      architecture: optional(string('The processor that it must run on.')),
      acceptFormats: optional(array(format('A format.'), 'What the host can boot, the best first.')),
    },
    'What is wanted.',
  )

const status = () =>
  object(
    {
      imageUrl: optional(string('Where the ISO or the initrd is.')),
      kernelUrl: optional(string('Where the kernel of an initrd is.')),
      extraKernelParams: optional(string('What else its kernel must be told.')),
      format: optional(format('What was built.')),
      networkData: optional(
        object({ name: optional(string('Its name.')), version: optional(string('Its revision.')) }, 'The Secret that went into it.'),
      ),
      architecture: optional(string('The processor that it runs on.')),
      conditions: optional(conditions()),
    },
    'What was built.',
  )

export const preprovisioningImage = kind({
  ...metal3,
  kind: 'PreprovisioningImage',
  plural: 'preprovisioningimages',
  shortNames: ['ppimg'],
  scope: 'Namespaced',
  description:
    'The image from which a BareMetalHost of the same name is inspected, installed and cleaned. Made and deleted with the need for it.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
  ],
  example: { metadata: { name: 'worker-0', namespace: 'metal3' }, spec: { architecture: 'x86_64', acceptFormats: ['iso', 'initrd'] } },
})
