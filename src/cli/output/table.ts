import { stripVTControlCharacters } from 'node:util'
import type { Paint } from './paint.ts'

const gap = '  '

/** Rows under headings, as wide as what stands in them. Colours do not count as width; the last column is not padded. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const width = (cell: string): number => stripVTControlCharacters(cell).length
  const widths = headings.map((heading, n) => Math.max(width(heading), ...rows.map(row => width(row[n] ?? ''))))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, n) => (n === cells.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[n] ?? 0) - width(cell)))))
      .join(gap)
      .trimEnd()
  return [paint.bold(line(headings)), ...rows.map(line)].join('\n')
}
