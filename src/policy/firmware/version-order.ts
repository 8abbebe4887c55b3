/** How a version stands to another. `incomparable`: different families, or no order that this program knows. */
export type Order = 'same' | 'older' | 'newer' | 'incomparable'

/** A version taken apart: the firmware line that it belongs to, and what is counted within it. */
interface Version {
  readonly line: string | undefined
  readonly parts: readonly (number | string)[]
}

/** One way to spell versions; the first that fits both is used, so `1.10` is newer than `1.9` whoever made it. */
interface Spelling {
  readonly name: string
  readonly because: string
  read(text: string): Version | undefined
}

const dotted = (text: string): readonly (number | string)[] =>
  text
    .toLowerCase()
    .split(/[.\-_+]/)
    .filter(part => part !== '')
    .flatMap(part => part.match(/\d+|[a-z]+/g) ?? [])
    .map(part => (/^\d+$/.test(part) ? Number(part) : part))

const spellings: readonly Spelling[] = [
  {
    name: 'hpe-rom',
    because: 'ProLiant ROMs carry their family and the day: U46 v1.64 (06/08/2023); wishes are also written 1.64_06-08-2023',
    read(text) {
      const found = /^([A-Z]\d{2}) v(\d+\.\d+)(?: \(\d{2}\/\d{2}\/\d{4}\))?$/i.exec(text) ?? /^()(\d+\.\d+)_\d{2}-\d{2}-\d{4}$/.exec(text)
      return found ? { line: found[1] === '' ? undefined : found[1]!.toUpperCase(), parts: dotted(found[2]!) } : undefined
    },
  },
  {
    name: 'lenovo-build',
    because: 'Lenovo puts a build of seven characters before or after the version: AFE120G-1.40 or 1.40-AFE120G',
    read(text) {
      const found = /^([A-Z]{3})(\d{3}[A-Z])-(\d+(?:\.\d+)+)$/i.exec(text)
      if (found) return { line: found[1]!.toUpperCase(), parts: dotted(found[3]!) }
      const after = /^(\d+(?:\.\d+)+)(?: \(|-)([A-Z]{3})\d{3}[A-Z]\)?$/i.exec(text)
      return after ? { line: after[2]!.toUpperCase(), parts: dotted(after[1]!) } : undefined
    },
  },
  {
    name: 'ami-letter',
    because: 'AMI boards count within a letter: F01, R23_F01',
    read(text) {
      const found = /^(?:(R\d+)_)?([A-Z])(\d{1,3})([A-Z]?)$/i.exec(text)
      return found
        ? { line: found[2]!.toUpperCase(), parts: [...dotted(found[1] ?? ''), Number(found[3]), ...dotted(found[4]!)] }
        : undefined
    },
  },
  {
    name: 'dotted',
    because: 'everybody else separates numbers by dots, with a v before or letters behind',
    read(text) {
      // One way to read each text: a BMC may say anything, and where two ways fit, a long text that fits none takes for ever.
      const found = /^(?:version |ver\.? ?|v)?(\d[0-9a-z]*(?:[.\-_+][0-9a-z]+)*)$/i.exec(text)
      return found ? { line: undefined, parts: dotted(found[1]!) } : undefined
    },
  },
]

const tidy = (text: string): string => text.trim().replace(/\s+/g, ' ')

function read(text: string): Version | undefined {
  for (const spelling of spellings) {
    const version = spelling.read(text)
    if (version) return version
  }
  return undefined
}

/** How `version` stands to `other`. Never by the order of letters: "10.0" is newer than "9.0". */
export function compareVersions(version: string, other: string): Order {
  const [a, b] = [tidy(version), tidy(other)]
  if (a.toLowerCase() === b.toLowerCase()) return 'same'
  const [left, right] = [read(a), read(b)]
  if (!left || !right) return 'incomparable'
  if (left.line !== undefined && right.line !== undefined && left.line !== right.line) return 'incomparable'
  return comparedParts(left.parts, right.parts)
}

function comparedParts(left: readonly (number | string)[], right: readonly (number | string)[]): Order {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    // A part that is missing counts as zero: 1.0 and 1.0.0 are the same, 1.0a comes after 1.0.
    const [a, b] = [left[at] ?? 0, right[at] ?? 0]
    if (a === b) continue
    if (typeof a === 'number' && typeof b === 'number') return a < b ? 'older' : 'newer'
    if (typeof a === 'string' && typeof b === 'string') return a < b ? 'older' : 'newer'
    // A letter against nothing is an addition; against another number there is no order.
    if (left[at] === undefined) return 'older'
    if (right[at] === undefined) return 'newer'
    return 'incomparable'
  }
  return 'same'
}

export const sameVersion = (version: string, other: string): boolean => compareVersions(version, other) === 'same'
