/** Ramdisks with an Ironic agent, for hosts of Metal3. */
export const ramdisk = [
  ['--ramdisk-iso <url>', 'ramdisk with an Ironic agent, as a disc: boots hosts with virtual media or over HTTP; for BareMetalHosts'],
  ['--ramdisk-kernel <url>', 'its kernel, for hosts that boot by PXE'],
  ['--ramdisk-initramfs <url>', 'its initramfs'],
  ['--ramdisk-arguments <text>', 'what its kernel is told besides where we are'],
] as const
