import { openBase } from '../../../src/boot/host-images/base.ts'
import { fileNames } from '../../../src/boot/host-images/shelf.ts'
import { memorySource } from '../../../src/boot/source.ts'
import { makeLiveIso } from '../../../src/sim/images/live-iso.ts'

/** Some management controllers take nothing else. */
export const baseUrl = 'https://192.0.2.10:7480'
export const liveIso = makeLiveIso({ rootfsBytes: 40_000 })
/** Read once: a process does that before it begins. */
export const base = await openBase(memorySource(liveIso.bytes), 'x86_64', digest => `${baseUrl}/host-images/${digest}/${fileNames.rootfs}`)
