import { RE2JS } from 're2js'

/**
 * A pattern as Kubernetes reads it: RE2, searched anywhere in the text, linear whatever the text.
 * Compiled on first use; undefined where the pattern is malformed, which CRD validation has refused before.
 */
export function patternCheck(pattern: string): (text: string) => boolean {
  let compiled: RE2JS | undefined
  return text => {
    compiled ??= RE2JS.compile(pattern)
    return compiled.matcher(text).find()
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
