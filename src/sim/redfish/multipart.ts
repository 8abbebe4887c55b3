import { isObject } from '../../core/json.ts'
import type { Call } from './call.ts'
import { Refusal } from './refusal.ts'

export interface Upload {
  readonly name: string
  readonly bytes: Uint8Array
  readonly targets: readonly string[]
}

/** The two parts of a multipart push: UpdateParameters (JSON) and UpdateFile. */
export function readParts(call: Call): Upload {
  const boundary = /boundary="?([^";]+)"?/i.exec(call.headers['content-type'] ?? '')?.[1]
  if (boundary === undefined || !call.raw) throw new Refusal(400, 'UnrecognizedRequestBody')
  const whole = Buffer.from(call.raw.buffer, call.raw.byteOffset, call.raw.length)
  let file: { readonly name: string; readonly bytes: Uint8Array } | undefined
  let targets: readonly string[] = []
  for (const { headers, body } of partsOf(whole, `--${boundary}`)) {
    const field = /name="?([^";]+)"?/i.exec(headers)?.[1]
    if (field === 'UpdateParameters') targets = targetsIn(body)
    else if (field === 'UpdateFile') file = { name: /filename="?([^";\r]+)"?/i.exec(headers)?.[1] ?? 'upload', bytes: body }
  }
  if (!file) throw new Refusal(400, 'PropertyMissing', ['UpdateFile'])
  return { ...file, targets }
}

function* partsOf(whole: Buffer, delimiter: string): Generator<{ readonly headers: string; readonly body: Buffer }> {
  for (let at = whole.indexOf(delimiter); at !== -1; ) {
    const begin = at + delimiter.length + 2
    const end = whole.indexOf(delimiter, begin)
    if (end === -1) return
    const blank = whole.indexOf('\r\n\r\n', begin)
    if (blank !== -1 && blank < end)
      yield { headers: whole.subarray(begin, blank).toString('latin1'), body: whole.subarray(blank + 4, end - 2) }
    at = end
  }
}

function targetsIn(body: Buffer): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const targets = isObject(parsed) ? parsed['Targets'] : undefined
    return Array.isArray(targets) ? targets.map(String) : []
  } catch {
    throw new Refusal(400, 'MalformedJSON')
  }
}
