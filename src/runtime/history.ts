import type { Instant } from '../core/duration.ts'
import type { HistoryLine } from './controllers.ts'
import type { Memory } from './memory.ts'

const most = 20

/** Keeps what was said about an object. Said again without anything else in between, a line only gets longer; true where it is new. */
export function remember(memory: Memory, controller: string, because: string, at: Instant): boolean {
  const { lines } = memory
  const last = lines?.at(-1)
  if (lines && last?.because === because) {
    lines[lines.length - 1] = { ...last, until: at }
    return false
  }
  const line: HistoryLine = { controller, at, until: at, because }
  // Most objects have nothing but one line: a list of exactly that length.
  if (!lines) memory.lines = [line]
  else {
    if (lines.length === most) lines.shift()
    lines.push(line)
  }
  return true
}
