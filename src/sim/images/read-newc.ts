/** Reads a cpio archive as a kernel does; the last copy of a path wins. */
export function readNewc(bytes: Buffer): ReadonlyMap<string, { readonly mode: number; readonly bytes: Buffer }> {
  const found = new Map<string, { readonly mode: number; readonly bytes: Buffer }>()
  for (let at = 0; at + 110 <= bytes.length; ) {
    const field = (index: number): number => Number.parseInt(bytes.toString('latin1', at + 6 + index * 8, at + 14 + index * 8), 16)
    if (bytes.toString('latin1', at, at + 6) !== '070701') throw new Error(`no entry at ${at}`)
    const [mode, size, nameSize] = [field(1), field(6), field(11)]
    const name = bytes.toString('utf8', at + 110, at + 110 + nameSize - 1)
    const data = Math.ceil((at + 110 + nameSize) / 4) * 4
    if (name === 'TRAILER!!!') return found
    found.set(name, { mode, bytes: bytes.subarray(data, data + size) })
    at = Math.ceil((data + size) / 4) * 4
  }
  throw new Error('the archive has no end')
}
