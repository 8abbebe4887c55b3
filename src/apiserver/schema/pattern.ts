import { RE2JS } from 're2js'

/**
 * A pattern as Kubernetes reads it: RE2, searched anywhere in the text, linear whatever the text.
 * Compiled on first use. A malformed pattern matches nothing; CRD validation names it besides.
 */
export function patternCheck(pattern: string): (text: string) => boolean {
  let compiled: RE2JS | undefined
  return text => {
    compiled ??= compilePattern(pattern)
    return compiled?.matcher(text).find() ?? false
  }
}

function compilePattern(pattern: string): RE2JS | undefined {
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
