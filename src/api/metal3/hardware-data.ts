import { kind } from '../kind.ts'
import { object, optional } from '../schema.ts'
import { metal3 } from './group.ts'
import { hardwareDetails } from './hardware-details.ts'

export const hardwareData = kind({
  ...metal3,
  kind: 'HardwareData',
  plural: 'hardwaredata',
  shortNames: ['hd'],
  scope: 'Namespaced',
  description:
    'What a BareMetalHost of the same name is made of. Written by its inspection, or by hand before it to tell what an inspection would find.',
  fields: { spec: object({ hardware: optional(hardwareDetails('What was found.')) }, 'What is known.') },
  columns: [],
  example: {
    metadata: { name: 'worker-0', namespace: 'metal3' },
    spec: { hardware: { cpu: { arch: 'x86_64', count: 64 }, ramMebibytes: 262_144, hostname: 'worker-0' } },
  },
})
