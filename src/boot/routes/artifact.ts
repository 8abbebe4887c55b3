import { printInstant } from '../../core/instant.ts'
import type { ArtifactRole } from '../../policy/boot/method.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { type Access, refuse } from '../access.ts'
import { plain, refused, wrongMethod } from '../answers.ts'
import { serveArtifact } from '../artifact.ts'
import type { BootContext, Call } from '../context.ts'
import type { Part } from '../coverage.ts'
import { fetchOf, withFetch } from '../facts.ts'
import { secondBoot } from '../stages.ts'

/** An artefact of the image that is booted, to whoever was let in; the first who fetches it is the only one. */
export async function artifact(context: BootContext, call: Call, access: Access, role: ArtifactRole): Promise<HttpResponse> {
  const { request, address } = call
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
  const { attempt, facts } = access
  const { server } = attempt
  const wanted = attempt.artifacts.find(a => a.role === role)
  if (!wanted) return plain(404, `What is booted has no ${role}.`)
  const again = secondBoot(context, access, role)
  if (again !== undefined) return refuse(context, server, again).response
  const { from } = fetchOf(facts, role) ?? {}
  if (from !== undefined && from !== address)
    return refuse(context, server, `${address} asks for the ${role} that ${from} fetched first`).response
  const response = await serveArtifact(context.blobs, wanted.digest, role, request)
  if (request.method === 'HEAD' || (response.status !== 200 && response.status !== 206)) return response
  if (from === undefined) {
    const begun: Change = f => withFetch(f, { what: role, first: printInstant(context.clock.now()), from: address })
    // Who fetched the script is on record: that it goes on with what the script says need not be, before it has it.
    if (fetchOf(facts, 'script')?.from === address) context.evidence.hold(attempt, begun)
    else if ((await context.evidence.note(attempt, begun)) === 'gone') return refused
    // Two may have asked at once: the one whose fetch was kept is served.
    const kept = fetchOf(context.evidence.of(attempt), role)?.from
    if (kept !== address) return refuse(context, server, `${address} asks for the ${role} that ${kept} fetched first`).response
  }
  return { ...response, body: counted(context, access, role, response.body, partOf(response, wanted.bytes), wanted.bytes) }
}

type Change = Parameters<BootContext['evidence']['note']>[1]

function partOf({ headers }: HttpResponse, size: number): Part {
  const [, start, last] = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
  return start === undefined ? { start: 0, end: size } : { start: Number(start), end: Number(last) + 1 }
}

/** The last slice waits until it is on record that everything was served: nothing boots of which nobody knows. */
async function* counted(
  context: BootContext,
  { attempt }: Access,
  role: ArtifactRole,
  body: HttpResponse['body'],
  part: Part,
  size: number,
): AsyncGenerator<Uint8Array> {
  const length = part.end - part.start
  let sent = 0
  for await (const slice of body instanceof Uint8Array ? [body] : body) {
    sent += slice.length
    if (sent === length && context.coverage.completes(attempt, role, part, size)) {
      const done = printInstant(context.clock.now())
      context.ages.done(attempt, role)
      await context.evidence.note(attempt, f => withFetch(f, { ...(fetchOf(f, role) ?? { what: role, first: done }), done }))
    }
    yield slice
    context.tally.count('bytes', role, slice.length)
  }
  context.coverage.add(attempt, role, part)
}
