import { filesOf } from './archive.ts'

const decoder = new TextDecoder()
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a machine wrote must not move the cursor of whoever reads it.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** What an archive holds, a line at a time, each with the host, the try and the file that it comes from. */
export function* linesOf(name: string, archive: Uint8Array): Generator<string> {
  const [, namespace = '', host = '', attempt = ''] = /^([^_]*)_(.*)_(\d+)\.tar\.gz$/.exec(name) ?? []
  const from = host === '' ? name : `${namespace}/${host} try ${attempt}`
  for (const file of filesOf(archive)) {
    const text = decoder.decode(file.bytes).replace(/\n$/, '')
    for (const line of text.split('\n')) yield `${from} ${file.name.replaceAll(control, '?')}: ${line.replaceAll(control, '?')}`
  }
}
