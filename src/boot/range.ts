/** What part of a file a request wants. `none`: the whole; `unsatisfiable`: nothing that is there. */
export type Wanted =
  | { readonly is: 'none' }
  | { readonly is: 'part'; readonly start: number; readonly end: number }
  | { readonly is: 'unsatisfiable' }

/**
 * Reads a Range header (RFC 9110) for a file of `size` bytes. `end` is exclusive. One range is served as asked; several, and
 * anything that is no range, are answered with the whole file, which the RFC allows and firmware understands.
 */
export function wantedRange(header: string | undefined, size: number): Wanted {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found) return { is: 'none' }
  const [first, last] = [found[1] ?? '', found[2] ?? '']
  if (first === '' && last === '') return { is: 'none' }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { is: 'unsatisfiable' } : { is: 'part', start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return { is: 'none' }
  return start >= size ? { is: 'unsatisfiable' } : { is: 'part', start, end }
}
