/** Numbers below `sides`, the same for the same seed. */
export function dice(seed: number): (sides: number) => number {
  let state = (seed * 0x9e3779b1) >>> 0 || 1
  return sides => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % sides
  }
}
