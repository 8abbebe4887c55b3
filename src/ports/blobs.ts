/** Verified bytes by their digest: on disk in main, in memory in the simulation. What is in here was checked before anybody could read it. */
export interface Blobs {
  /** Its size, or undefined where it is not (yet, or any longer) here. */
  size(digest: string): Promise<number | undefined>
  /** A part of it, in slices of at most a mebibyte. `end` is exclusive. */
  read(digest: string, start: number, end: number): AsyncIterable<Uint8Array>
  /** Takes in bytes that must be `size` long and have `digest`; anything else is refused and leaves nothing behind. */
  put(digest: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Forgets everything that is not kept; answers how many bytes that freed. */
  prune(kept: (digest: string) => boolean): Promise<number>
}
