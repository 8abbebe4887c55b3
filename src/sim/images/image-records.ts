import type { ImageRecord, ImageRecords } from '../../ports/host-images.ts'

/** What images were made of, on a disk that outlives the processes of a story. */
export function imageRecords(): ImageRecords & { readonly kept: ReadonlyMap<string, ImageRecord> } {
  const kept = new Map<string, ImageRecord>()
  return {
    kept,
    load: async uid => kept.get(uid),
    save: async record => void kept.set(record.order.uid, record),
    drop: async uid => void kept.delete(uid),
  }
}
