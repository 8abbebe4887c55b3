import type { BootMethod } from './method.ts'

/** Kernel and initramfs by a boot script; DHCP and TFTP belong to the network around us. */
export const pxe: BootMethod = { name: 'Pxe', target: 'Pxe', fetches: true, needs: [['kernel', 'initramfs']] }
