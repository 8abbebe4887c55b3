/** Which part of a machine an image is for, and which version it brings. */
export interface FirmwareImage {
  readonly part?: string
  readonly version: string
}

/** The image says so itself in a line `sim-firmware: BIOS 2.4.1`, otherwise its file name does: `BIOS-2.4.1.bin`, `bmc_v7.20.tar`. */
export function readFirmwareImage(name: string, bytes: Uint8Array | undefined): FirmwareImage | undefined {
  const text = bytes && Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const inside = text && /sim-firmware:\s*(\S+)\s+(\S+)/.exec(text)
  if (inside) return { part: inside[1]!, version: inside[2]! }
  const file = name.split('?')[0]!.split('/').at(-1) ?? ''
  const outside = /^([A-Za-z.]*?)[-_]?v?(\d+(?:\.\d+)+)/.exec(file)
  if (!outside) return undefined
  return outside[1] ? { part: outside[1], version: outside[2]! } : { version: outside[2]! }
}
