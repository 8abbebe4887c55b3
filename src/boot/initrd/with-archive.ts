import { joined, whole } from '../joined.ts'
import { memorySource, type Source, zeros } from '../source.ts'

/** An initramfs with an archive behind it: the kernel unpacks one after the other. Archives begin at multiples of four. */
export const withArchive = (base: Source, archive: Uint8Array): Source =>
  joined([whole(base), whole(zeros((4 - (base.size % 4)) % 4)), whole(memorySource(archive))])
