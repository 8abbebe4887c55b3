import type { Paint } from '../output/paint.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly is: 'well' | 'wrong' | 'hint'
  readonly what: string
  readonly says: string
  /** What to do about it. */
  readonly remedy?: string
}

export const well = (what: string, says: string): Finding => ({ is: 'well', what, says })
export const wrong = (what: string, says: string, remedy?: string): Finding => ({
  is: 'wrong',
  what,
  says,
  ...(remedy === undefined ? {} : { remedy }),
})
export const hint = (what: string, says: string): Finding => ({ is: 'hint', what, says })

const marks = { well: '✓', wrong: '✗', hint: '·' } as const

export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const widest = Math.max(0, ...findings.map(({ what }) => what.length))
  const colour = { well: paint.green, wrong: paint.red, hint: paint.dim }
  const lines = findings.flatMap(({ is, what, says, remedy }) => [
    `${colour[is](marks[is])} ${what.padEnd(widest)}  ${says.replaceAll('\n', `\n${' '.repeat(widest + 4)}`)}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(widest + 4)}${paint.yellow('Try:')} ${remedy}`]),
  ])
  const bad = findings.filter(({ is }) => is === 'wrong').length
  return [
    ...lines,
    bad === 0 ? paint.green('Nothing stands in the way.') : paint.red(`${bad} of ${findings.length} looks found something wrong.`),
  ].join('\n')
}
