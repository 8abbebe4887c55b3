/** Above this many bytes an answer is sent in slices, so that a large one neither doubles in memory nor holds the loop. */
export const sliceBytes = 1 << 20

/** Small pieces joined into slices of about a mebibyte. */
export function* slices(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    held.push(piece)
    size += piece.length
    if (size < sliceBytes) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (held.length > 0) yield Buffer.concat(held)
}
