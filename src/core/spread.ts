/** A number from a text, 0 to 2³² − 1, the same everywhere: those that come together do not all do the same at once. */
export function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
