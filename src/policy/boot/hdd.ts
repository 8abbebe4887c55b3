import type { BootMethod } from './method.ts'

/** What is on the disk already: nothing is fetched, nothing is needed of an image. */
export const hdd: BootMethod = { name: 'Hdd', target: 'Hdd', fetches: false, needs: [] }
