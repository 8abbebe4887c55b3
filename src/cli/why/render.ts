import type { Instant } from '../../core/duration.ts'
import { since } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import type { Chain } from './chain.ts'

/** A chain as people read it: each line is so because of the next. */
export function renderChain({ links, who, command }: Chain, now: Instant, paint: Paint): string {
  const lines = links.map(({ what, is, since: at }, n) => {
    const ago = at === undefined ? '' : paint.dim(` (for ${since(at, now)})`)
    const lead = n === 0 ? '' : `${'  '.repeat(n - 1)}└─ `
    return `${lead}${paint.bold(what)} ${is}${ago}`
  })
  if (who !== undefined) lines.push(`${paint.yellow('Who must act:')} ${who}`)
  if (command !== undefined) lines.push(`${paint.yellow('Try:')} ${command}`)
  return lines.join('\n')
}
