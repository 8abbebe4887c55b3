import { sameVersion } from './version-order.ts'

export interface FirmwareWish {
  readonly name: string
  readonly manufacturer: string
  readonly version: string
}

/** A component as its BMC shows it; many do not say who made it. */
export interface Installed {
  readonly id?: string | undefined
  readonly name: string
  readonly manufacturer?: string | undefined
  readonly version: string
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const forms = ['inc', 'corp', 'corporation', 'ltd', 'limited', 'co', 'gmbh', 'ag', 'llc', 'technologies']

/** ACME Corp. and ACME Corporation are one maker. Word by word from the end, so that no text, however long, is gone through twice. */
function maker(text: string): string {
  const words = plain(text).split(' ')
  while (words.length > 1 && forms.includes(words.at(-1)!)) words.pop()
  return words.join(' ')
}

/** The components that a wish is about: several where a machine has more than one of them. */
export function componentsFor<C extends Installed>(
  wish: Pick<FirmwareWish, 'name' | 'manufacturer'>,
  installed: readonly C[],
): readonly C[] {
  const [name, made] = [plain(wish.name), maker(wish.manufacturer)]
  const named = installed.filter(one => plain(one.name) === name || (one.id !== undefined && plain(one.id) === name))
  // A component whose maker is not told counts by its name alone, but never beside one whose maker is.
  const told = named.filter(one => one.manufacturer !== undefined && one.manufacturer !== '')
  return told.length > 0 ? told.filter(one => maker(one.manufacturer!) === made) : named
}

export interface FirmwareDifference {
  readonly wish: FirmwareWish
  /** The version of the first component that is not as wished; missing where there is no such component. */
  readonly found?: string
}

/** The wishes that are not fulfilled. What is installed and not listed is none of our business. */
export function differingFirmware(wishes: readonly FirmwareWish[], installed: readonly Installed[]): readonly FirmwareDifference[] {
  return wishes.flatMap((wish): readonly FirmwareDifference[] => {
    const components = componentsFor(wish, installed)
    if (components.length === 0) return [{ wish }]
    const other = components.find(one => !sameVersion(one.version, wish.version))
    return other ? [{ wish, found: other.version }] : []
  })
}

/** What belongs into a status: wishes in their own spelling, everything else as the BMC says; each name and maker once. */
export function reportedFirmware(wishes: readonly FirmwareWish[], installed: readonly Installed[]): readonly FirmwareWish[] {
  const found = new Map<string, FirmwareWish>()
  const taken = new Set<Installed>()
  const put = (name: string, manufacturer: string, version: string): void => {
    const key = JSON.stringify([name, manufacturer])
    if (!found.has(key)) found.set(key, { name, manufacturer, version })
  }
  for (const wish of wishes) {
    const components = componentsFor(wish, installed)
    for (const one of components) taken.add(one)
    const first = components.find(one => !sameVersion(one.version, wish.version)) ?? components[0]
    if (first && first.version !== '') put(wish.name, wish.manufacturer, first.version)
  }
  for (const one of installed) if (!taken.has(one) && one.version !== '') put(one.name, one.manufacturer || 'unknown', one.version)
  return [...found.values()].sort((a, b) => (a.name === b.name ? order(a.manufacturer, b.manufacturer) : order(a.name, b.name)))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
