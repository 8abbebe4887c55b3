import { RE2JS } from 're2js'

/** How many short texts a pattern remembers to have matched: the same sizes and addresses come with every status update. */
const remembered = 256
const short = 64

/**
 * A pattern as Kubernetes reads it: RE2, searched anywhere in the text, linear whatever the text.
 * Compiled on first use. A malformed one matches nothing, so that a default beside it is refused as well, not thrown at.
 */
export function patternCheck(pattern: string): (text: string) => boolean {
  let compiled: RE2JS | undefined
  const matched = new Set<string>()
  return text => {
    if (matched.has(text)) return true
    compiled ??= compile(pattern)
    if (!compiled?.matcher(text).find()) return false
    if (text.length <= short) {
      if (matched.size >= remembered) matched.clear()
      matched.add(text)
    }
    return true
  }
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

export function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
