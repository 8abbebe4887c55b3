import type { Connection } from './connection.ts'
import { type Etags, etagOf, strong } from './etag.ts'
import type { Answer, Call } from './exchange.ts'

/**
 * A change of a resource with the tag of what was read. Tags are drifting, weak, empty or refused on real services, so a refused one is
 * followed by the documented other ways, each once: the newest tag, its strong form, none at all; `*` where one is demanded but none is given.
 */
export async function patched(connection: Connection, etags: Etags, call: Call): Promise<Answer> {
  const send = (tag: string | undefined): Promise<Answer> =>
    connection.send(tag === undefined ? call : { ...call, headers: { ...call.headers, 'if-match': tag } })
  const known = etags.of(call.path)
  etags.forget(call.path)
  let answer = await send(known)
  if (answer.status !== 412 && answer.status !== 428) return answer
  const read = await connection.send({ verb: 'GET', path: call.path, ...(call.signal ? { signal: call.signal } : {}) })
  const newest = read.status < 300 ? etagOf(read) : undefined
  const demanded = answer.status === 428
  const tries = demanded
    ? [newest ?? '*', newest === undefined ? undefined : strong(newest), '*']
    : [newest, newest === undefined ? undefined : strong(newest)]
  for (const tag of new Set(tries)) {
    if (tag === undefined) continue
    answer = await send(tag)
    if (answer.status !== 412 && answer.status !== 428) return answer
  }
  return demanded ? answer : send(undefined)
}
