import type { BootMethod } from './method.ts'

/** An ISO that the BMC mounts; a unified kernel image can be wrapped into one. */
export const virtualMedia: BootMethod = { name: 'VirtualMedia', target: 'Cd', fetches: true, needs: [['iso'], ['uki']] }
