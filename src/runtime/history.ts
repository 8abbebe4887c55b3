import type { Instant } from '../core/duration.ts'
import type { HistoryLine } from './controllers.ts'

const most = 20

/** What was last said about one object, oldest first. Said again without anything else in between, a line only gets longer. */
export function remember(lines: HistoryLine[], controller: string, because: string, at: Instant): boolean {
  const last = lines.at(-1)
  if (last?.because === because) {
    lines[lines.length - 1] = { ...last, until: at }
    return false
  }
  if (lines.length === most) lines.shift()
  lines.push({ controller, at, until: at, because })
  return true
}
