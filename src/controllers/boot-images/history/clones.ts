import { reach, text } from '../../../policy/boot-images/reach.ts'
import type { Source } from '../resources.ts'

/** On templates that were made here: for which machine resource. */
export const cloneFor = 'rackwright.dev/boot-image-clone-for'

export const cloneMark = ({ resource }: Source, name: string): string => `${resource}/${name}`

/** The infrastructure template that a machine resource names. */
export const templateNameOf = (object: unknown): string | undefined =>
  text(reach(object, 'spec', 'template', 'spec', 'infrastructureRef', 'name'))
