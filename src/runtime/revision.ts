const decimal = /^\d+$/

/**
 * Orders two resourceVersions of one resource: negative, zero or positive; undefined where they are no numbers and differ, so that nothing
 * can be told. Numbers are compared as text, by length and then letter by letter: they may be larger than a double holds.
 */
export function compareRevisions(a: string, b: string): number | undefined {
  if (a === b) return 0
  if (!decimal.test(a) || !decimal.test(b)) return undefined
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}

export const isAtLeast = (a: string | undefined, b: string): boolean => {
  const order = a === undefined ? undefined : compareRevisions(a, b)
  return order !== undefined && order >= 0
}

export const isOlder = (a: string | undefined, b: string | undefined): boolean => {
  const order = a === undefined || b === undefined ? undefined : compareRevisions(a, b)
  return order !== undefined && order < 0
}
