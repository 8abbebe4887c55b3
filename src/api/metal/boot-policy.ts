import { defaulted, object, oneOf, optional, rule } from '../schema.ts'

/** How a server boots first and later. Part of claims, boot configurations and maintenance templates. */
export const bootPolicy = () =>
  rule(
    object(
      {
        firstBoot: oneOf(
          ['Pxe', 'UefiHttp', 'VirtualMedia'],
          'How the server boots to be installed. The image must fit: Pxe needs a kernel and an initramfs, UefiHttp a unified kernel image, VirtualMedia an ISO.',
        ),
        boot: defaulted(
          oneOf(['Hdd', 'Network'], 'How the server boots once it is installed: from its disk, or from the network every time.'),
          'Hdd',
        ),
        provisionedWhen: optional(
          oneOf(
            ['PowerOn', 'ArtifactServed', 'BootReported'],
            'What counts as evidence that the first boot is done: the server was seen on, the boot server served it, or the system called home. The manager’s setting where missing.',
          ),
        ),
        unexpectedBoot: optional(
          oneOf(
            ['SafeStop', 'Disk'],
            'What a boot that nobody commanded leads to: the machine stops until somebody resumes it, or its disk is armed again after every proven boot. SafeStop where missing.',
          ),
        ),
      },
      'How the server boots. Where missing: first by PXE, then from disk.',
    ),
    "self.boot != 'Network' || self.firstBoot != 'VirtualMedia'",
    'boot Network cannot be combined with firstBoot VirtualMedia',
  )
