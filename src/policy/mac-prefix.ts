/** What is known about management controllers whose hardware addresses begin so. */
export interface PrefixEntry {
  /** As many leading digits as it takes, in any spelling: `3C:A8:2A`. */
  readonly macPrefix: string
  readonly manufacturer: string
  readonly protocol: { readonly name: 'Redfish' | 'IPMI' | 'SSH'; readonly port: number; readonly scheme?: 'http' | 'https' }
  /** The Secret or BMCSecret with which new ones are logged in to. */
  readonly credentials: { readonly name: string; readonly kind: 'BMCSecret' | 'Secret' }
}

const digits = (mac: string): string => mac.toLowerCase().replace(/[^0-9a-f]/g, '')

/** The entry with the longest prefix that fits. */
export function entryFor(mac: string, table: readonly PrefixEntry[]): PrefixEntry | undefined {
  const wanted = digits(mac)
  return table
    .filter(({ macPrefix }) => digits(macPrefix) !== '' && wanted.startsWith(digits(macPrefix)))
    .toSorted((a, b) => digits(b.macPrefix).length - digits(a.macPrefix).length)[0]
}
