/** Takes secrets out of whatever a BMC says back, and everything that does not print: its words end up in status and logs. */
export interface Secrets {
  keep(...secrets: readonly string[]): void
  scrub(text: string): string
}

const longest = 300
/** Old ones still stand in late answers; more than a few rotations back nobody echoes. */
const remembered = 12

export function secrets(): Secrets {
  const kept: string[] = []
  return {
    keep(...found) {
      for (const secret of found) if (secret !== '' && !kept.includes(secret)) kept.push(secret)
      kept.splice(0, Math.max(0, kept.length - remembered))
    },
    scrub(text) {
      let clean = text
      for (const secret of kept.toSorted((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, '•••')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what must go
      clean = clean.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
      return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
    },
  }
}
