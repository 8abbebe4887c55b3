import { Fault } from '../../../core/fault.ts'
import type { HostImages, ImageRecord, ImageRecords } from '../../../ports/host-images.ts'
import type { Log } from '../../../ports/index.ts'
import type { Built } from './seen.ts'

type Ready = Built & { readonly is: 'ready' }

/** What went into the image that stands, so that a look at it fetches nothing. */
export interface Known extends Pick<ImageRecord, 'wish' | 'settings'> {
  readonly built: Ready
}
export type Memory = Map<string, Known>

export interface KeepingPorts {
  readonly images: HostImages
  readonly records: ImageRecords
  readonly log: Log
  /** Its object is there, as the caches show it. */
  isThere(): boolean
}

/** Serves it from now on, and notes it before anybody is told where it is: whoever comes after us serves it, too. */
export async function keep(ports: KeepingPorts, memory: Memory, record: ImageRecord): Promise<Ready> {
  const built = serve(ports, memory, record)
  // Without the note it is fetched again after a restart, which usually works: no reason to have no image now.
  await ports.records.save(record).catch((error: unknown) =>
    ports.log.warn('What an image of a host was made of cannot be kept: after a restart it is made anew', {
      because: error instanceof Error ? error.message : String(error),
    }),
  )
  return built
}

/** What stands for it. After a restart it is put back where it was before anything is fetched: a machine may run from it. */
export async function recall(ports: KeepingPorts, memory: Memory, uid: string): Promise<Known | undefined> {
  if (memory.has(uid)) return memory.get(uid)
  const record = await ports.records.load(uid)
  if (!record) return undefined
  try {
    serve(ports, memory, record)
  } catch (error) {
    // Its base is another one now: whoever builds it says what is wrong with that.
    if (!(error instanceof Fault)) throw error
  }
  return memory.get(uid)
}

function serve({ images, isThere }: KeepingPorts, memory: Memory, { order, wish, settings, conflicts }: ImageRecord): Ready {
  const built: Ready = { is: 'ready', image: images.keep(order, isThere), conflicts }
  memory.set(order.uid, { wish, settings, built })
  return built
}
