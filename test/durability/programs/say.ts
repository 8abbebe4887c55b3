import { writeSync } from 'node:fs'

/** Prints a line before going on, so that what was said was said even if the next instruction is the last one. */
export function say(line: string): void {
  let rest = Buffer.from(`${line}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The pipe is full: the reader will come.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
