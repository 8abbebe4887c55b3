/** Serial numbers, UUIDs and MAC addresses follow from a number, so that ten thousand machines store none of them. */
export const serialOf = (n: number): string => `SIM${String(n).padStart(7, '0')}`

/** RFC 4122 shape, and the same for the same machine in every run. */
export const uuidOf = (n: number): string => {
  const low = (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `5111ac4e-${low.slice(0, 4)}-4000-8${low.slice(4, 7)}-${n.toString(16).padStart(12, '0')}`
}

/** Locally administered; `port` 0 and 1 are the host's, 15 is the BMC's own. */
export const macOf = (n: number, port: number): string =>
  [0x02, 0x5c, (n >>> 16) & 255, (n >>> 8) & 255, n & 255, port].map(byte => byte.toString(16).padStart(2, '0')).join(':')
