/** An address of a peer as it is compared and kept: lower case, no zone, IPv4 as such and not dressed as IPv6. */
export const plainAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')

/** Hardware addresses come with colons, dashes or nothing between their digits. */
export function plainMac(text: string): string | undefined {
  const hex = text.toLowerCase().replace(/[:.-]/g, '')
  return /^[0-9a-f]{12}$/.test(hex) ? (hex.match(/../g) ?? []).join(':') : undefined
}
