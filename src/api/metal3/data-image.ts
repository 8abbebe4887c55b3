import { kind } from '../kind.ts'
import { boolean, integer, object, oneOf, optional, string } from '../schema.ts'
import { conditions, observedGeneration, time } from '../shapes.ts'
import { metal3 } from './group.ts'

const spec = () =>
  object(
    {
      url: string('Where the ISO 9660 image is; the host’s management controller fetches it by http or https.'),
      immediate: optional(boolean('Attaches and detaches at once, also while the host runs, instead of at its next restart or power-on.')),
    },
    'What is wanted.',
  )

const status = () =>
  object(
    {
      lastReconciliation: optional(time('When something was last done or found out.')),
      error: optional(
        object(
          { count: integer('How often it failed in a row.'), message: string('Why it failed last.') },
          'Zero and empty when all is well.',
        ),
      ),
      attachedImage: optional(object({ url: string('Its address.') }, 'What is attached.')),
      drive: optional(string('The virtual drive that it is in.')),
      controller: optional(string('The management controller whose drive that is, for whoever has to look for it there.')),
      tries: optional(integer('How often it was tried since the host was last on.')),
      begun: optional(
        object(
          {
            step: oneOf(['insert', 'eject'], 'What was begun.'),
            drive: string('In which drive.'),
            url: optional(string('With which image.')),
            since: time('When.'),
          },
          'What was asked of the management controller, and has not been seen done.',
        ),
      ),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const dataImage = kind({
  ...metal3,
  kind: 'DataImage',
  plural: 'dataimages',
  scope: 'Namespaced',
  description:
    'An ISO image that the BareMetalHost of the same name finds in a drive, and does not boot from: attached at its next restart or power-on, and detached at the one after it was deleted.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'Attached', type: 'string', jsonPath: '.status.attachedImage.url' },
    { name: 'Error', type: 'string', jsonPath: '.status.error.message' },
  ],
  example: { metadata: { name: 'metal-worker-0', namespace: 'metal-cluster' }, spec: { url: 'http://1.2.3.4/image.iso' } },
})
