import { boolean, integer, object, optional, string } from '../schema.ts'

/** Which disk is meant: every hint that is given must fit. */
export const rootDeviceHints = (description: string) =>
  object(
    {
      deviceName: optional(string('A device such as /dev/vda, or a link below /dev/disk/by-path/.')),
      hctl: optional(string('The SCSI bus address.')),
      model: optional(string('A part of the model’s name.')),
      vendor: optional(string('A part of the vendor’s name.')),
      serialNumber: optional(string('The serial number.')),
      minSizeGigabytes: optional(integer('The least size.', { minimum: 0 })),
      wwn: optional(string('The World Wide Name.')),
      wwnWithExtension: optional(string('The World Wide Name with the vendor’s extension.')),
      wwnVendorExtension: optional(string('The vendor’s extension alone.')),
      rotational: optional(boolean('Whether it turns.')),
    },
    description,
  )
