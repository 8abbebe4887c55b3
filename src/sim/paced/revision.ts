/** Revisions of one resource, as decimal texts of any length. */
export function isBehind(a: string | undefined, b: string): boolean {
  if (a === undefined) return true
  return a.length === b.length ? a < b : a.length < b.length
}
