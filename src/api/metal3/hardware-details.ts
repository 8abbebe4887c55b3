import { array, boolean, int64, integer, number, object, oneOf, optional, string } from '../schema.ts'

const nic = () =>
  object(
    {
      name: optional(string('The name of the interface.')),
      model: optional(string('Vendor and product, as numbers.')),
      mac: optional(string('Its hardware address.')),
      ip: optional(string('Its address; an interface with two has two entries.')),
      speedGbps: optional(integer('Its speed.')),
      vlans: optional(
        array(
          object({ id: optional(integer('Its number.', { minimum: 0, maximum: 4094 })), name: optional(string('Its name.')) }, 'A VLAN.'),
          'The VLANs that it sees.',
        ),
      ),
      vlanId: optional(integer('The VLAN of untagged frames.', { minimum: 0, maximum: 4094 })),
      pxe: optional(boolean('Whether it boots from the network.')),
      pciAddress: optional(string('Where it is plugged in.')),
      lldp: optional(
        object(
          {
            switchID: optional(string('The switch.')),
            portID: optional(string('Its port.')),
            switchSystemName: optional(string('The name of the switch.')),
          },
          'What it is plugged into.',
        ),
      ),
    },
    'A network interface.',
  )

const disk = () =>
  object(
    {
      name: optional(string('The device.')),
      alternateNames: optional(array(string('A name.'), 'Other names of the device.')),
      rotational: optional(boolean('Whether it turns.')),
      type: optional(oneOf(['HDD', 'SSD', 'NVME'], 'What it is.')),
      sizeBytes: optional(int64('Its size.')),
      vendor: optional(string('Who made it.')),
      model: optional(string('Its model.')),
      serialNumber: optional(string('Its serial number.')),
      wwn: optional(string('The World Wide Name.')),
      wwnVendorExtension: optional(string('The vendor’s extension of it.')),
      wwnWithExtension: optional(string('Both together.')),
      hctl: optional(string('The SCSI bus address.')),
    },
    'A disk.',
  )

/** What a host is made of, as its inspection found it. */
export const hardwareDetails = (description: string) =>
  object(
    {
      systemVendor: optional(
        object(
          {
            manufacturer: optional(string('Who made it.')),
            productName: optional(string('What it is called.')),
            serialNumber: optional(string('Its serial number.')),
          },
          'Which machine it is.',
        ),
      ),
      firmware: optional(
        object(
          {
            bios: optional(
              object(
                {
                  date: optional(string('When it was made.')),
                  vendor: optional(string('By whom.')),
                  version: optional(string('Which it is.')),
                },
                'Its BIOS.',
              ),
            ),
          },
          'Its firmware.',
        ),
      ),
      ramMebibytes: optional(integer('Its memory.')),
      nics: optional(array(nic(), 'Its network interfaces.')),
      storage: optional(array(disk(), 'Its disks.')),
      cpu: optional(
        object(
          {
            arch: optional(string('Its architecture.')),
            model: optional(string('Its model.')),
            clockMegahertz: optional(number('Its clock.')),
            flags: optional(array(string('A flag.'), 'What it can do.')),
            count: optional(integer('How many there are.')),
          },
          'Its processors.',
        ),
      ),
      hostname: optional(string('The name that its system had.')),
    },
    description,
  )
