import type { Attempt } from './attempts.ts'
import type { What } from './kinds.ts'

/** Which parts of an artefact have been served in an attempt: some firmware fetches it whole, some in ranges. */
export interface Coverage {
  /** Whether the whole would have been served with this part; it counts once it is `add`ed. */
  completes(attempt: Attempt, what: What, part: Part, size: number): boolean
  add(attempt: Attempt, what: What, part: Part): void
}

export interface Part {
  readonly start: number
  readonly end: number
}

const remembered = 1_000
/** A reader that leaves more holes than this is not reading to the end. */
const holes = 10_000

export function openCoverage(): Coverage {
  const served = new Map<string, readonly Part[]>()
  const keyOf = ({ configurationUID, number }: Attempt, what: What): string => `${configurationUID}/${number}/${what}`
  return {
    completes(attempt, what, part, size) {
      const [first, second] = merged([...(served.get(keyOf(attempt, what)) ?? []), part])
      return second === undefined && first?.start === 0 && first.end === size
    },
    add(attempt, what, part) {
      const key = keyOf(attempt, what)
      const parts = merged([...(served.get(key) ?? []), part]).slice(0, holes)
      served.delete(key)
      served.set(key, parts)
      if (served.size > remembered) served.delete(served.keys().next().value!)
    },
  }
}

function merged(parts: readonly Part[]): readonly Part[] {
  const out: Part[] = []
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last && part.start <= last.end) out[out.length - 1] = { start: last.start, end: Math.max(last.end, part.end) }
    else out.push(part)
  }
  return out
}
