import { readdir, readFile } from 'node:fs/promises'

/** What the kernel shows as files; what is not there, or may not be read, is nothing. */
export interface Files {
  text(path: string): Promise<string | undefined>
  bytes(path: string): Promise<Uint8Array | undefined>
  names(path: string): Promise<readonly string[]>
}

/** The files of this machine, or of one whose `/sys` and `/proc` lie under `root`. */
export const machineFiles = (root = ''): Files => ({
  text: path =>
    readFile(`${root}${path}`, 'utf8').then(
      text => text.trim() || undefined,
      () => undefined,
    ),
  bytes: path => readFile(`${root}${path}`).catch(() => undefined),
  names: async path => (await readdir(`${root}${path}`).catch(() => [])).toSorted(),
})
