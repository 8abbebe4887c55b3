import { array, boolean, integer, object, oneOf, optional, string } from '../schema.ts'
import { rootDeviceHints } from './root-device-hints.ts'

const hardwareVolume = () =>
  object(
    {
      sizeGibibytes: optional(integer('Its size; missing means all there is.', { minimum: 0 })),
      level: oneOf(['0', '1', '2', '5', '6', '1+0', '5+0', '6+0'], 'The RAID level.'),
      name: optional(string('Its name, unique on this host.', { maxLength: 64 })),
      rotational: optional(boolean('Made of disks that turn, or of others; missing means any.')),
      numberOfPhysicalDisks: optional(integer('How many disks it is made of.', { minimum: 1 })),
      controller: optional(string('The RAID controller.')),
      physicalDisks: optional(array(string('A disk.'), 'The disks that it is made of; needs the controller.')),
    },
    'One volume of a RAID controller.',
  )

const softwareVolume = () =>
  object(
    {
      sizeGibibytes: optional(integer('Its size; missing means all there is.', { minimum: 0 })),
      level: oneOf(['0', '1', '1+0'], 'The RAID level.'),
      rootVolume: optional(boolean('Whether the host is installed to it.')),
      physicalDisks: optional(array(rootDeviceHints('One disk.'), 'The disks that it is made of.', { minItems: 2 })),
    },
    'One volume made by the system.',
  )

export const raid = (description: string) =>
  object(
    {
      hardwareRAIDVolumes: optional(
        array(hardwareVolume(), 'Volumes of a RAID controller. An empty list takes all away; missing leaves them.', { nullable: true }),
      ),
      softwareRAIDVolumes: optional(
        array(softwareVolume(), 'Volumes made by the system; the first must be of level 1.', { maxItems: 2, nullable: true }),
      ),
    },
    description,
  )
