import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf } from './lines.ts'

/** Writes out what lies in the folder, oldest try first, and takes away what was written: nothing is told twice, and the folder stays small. */
export async function publishLogs(folder: string, write: (line: string) => void): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.tar.gz')).toSorted()
  for (const name of names) {
    const path = join(folder, name)
    try {
      for (const line of linesOf(name, await readFile(path))) write(line)
    } catch (error) {
      write(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    await rm(path, { force: true })
  }
  return names.length
}
