import { Fault } from '../core/fault.ts'

const newline = 0x0a
/** Far above the 3 MiB that a server takes in; below what would hurt us. */
const longest = 32 << 20

/**
 * Cuts a stream of bytes into lines, in batches as they arrive. A last line without its end is dropped: it was cut off, and whoever resumes
 * gets it again.
 */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let started: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const batch: string[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const last = chunk.subarray(from, end)
      const line = decoder.decode(started.length === 0 ? last : Buffer.concat([...started, last]))
      if (line.trim() !== '') batch.push(line)
      started = []
      length = 0
      from = end + 1
    }
    if (from < chunk.length) {
      started.push(chunk.subarray(from))
      length += chunk.length - from
    }
    if (length > longest) throw new Fault('kube/endless-line', `Cannot read the watch: a line is longer than ${longest} bytes`)
    if (batch.length > 0) yield batch
  }
}
